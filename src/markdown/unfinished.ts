// Whether text that reaches the end of what has arrived may still grow into something. Each question is answered with
// "yes" when in doubt about what is to come, and with "no" as soon as the text can't become it any more.

/** `text` begins with `<`: may it become a tag, a comment or an autolink? */
export function isUnfinishedAngle(text: string): boolean {
  if (text.startsWith('<!--') || '<!--'.startsWith(text)) {
    return !/^<!--(?:-?>|[^]*-->)/.test(text)
  }
  if (text.startsWith('<![CDATA[') || '<![CDATA['.startsWith(text)) return !text.includes(']]>')
  if (text.startsWith('<?')) return !text.includes('?>')
  if (/^<![a-z]/i.test(text)) return !text.includes('>')
  if (/^<[a-z][\w+.-]{0,31}(?::[^\s<>]*)?$/i.test(text)) return true
  if (/^<[\w.!#$%&'*+/=?^`{|}~-]+(?:@[a-z\d.-]*)?$/i.test(text)) return true
  return isUnfinishedTag(text)
}

/** A tag whose `>` has not come: `<name`, then attributes. One pass, so that long text costs no more than its length. */
function isUnfinishedTag(text: string): boolean {
  const name = /^<(?:\/?[a-z][a-z\d-]*|\/?$)/i.exec(text)?.[0]
  if (name === undefined) return false
  if (name.startsWith('</')) return /^\s*$/.test(text.slice(name.length))
  const attribute = /\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^"'=<>`\s]+|'[^']*'|"[^"]*"))?/iy
  let end = name.length
  attribute.lastIndex = end
  while (attribute.test(text)) end = attribute.lastIndex
  return /^(?:\s*\/?|\s*=\s*(?:'[^']*|"[^"]*)?)$/.test(text.slice(end))
}

/** `text` follows `[label]`: may it become `(address "title")` or `[label]`? */
export function isUnfinishedResource(text: string): boolean {
  if (text.startsWith('[')) return !/(?<!\\)[\]]|(?<!\\)\[/.test(text.slice(1))
  if (!text.startsWith('(')) return false
  const inside = text.slice(1).trimStart()
  const rest = skipDestination(inside)
  if (rest === undefined) return true
  if (rest === inside && rest !== '') return isUnfinishedTitle(rest)
  return rest.trim() === '' || (/^\s/.test(rest) && isUnfinishedTitle(rest.trimStart()))
}

/** What follows the address; `undefined` if the address itself reaches the end. */
function skipDestination(text: string): string | undefined {
  if (text.startsWith('<')) {
    const end = /(?<!\\)[<>\n]/.exec(text.slice(1))
    if (end === null) return undefined
    return end[0] === '>' ? text.slice(end.index + 2) : ')'
  }
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth < 0) return text.slice(at)
    else if (character <= ' ') return depth > 0 ? ')' : text.slice(at)
  }
  return undefined
}

function isUnfinishedTitle(text: string): boolean {
  return /^(?:"(?:[^"\\]|\\[^])*(?:"\s*|\\)?|'(?:[^'\\]|\\[^])*(?:'\s*|\\)?|\((?:[^()\\]|\\[^])*(?:\)\s*|\\)?)?$/.test(
    text,
  )
}

/** `text` follows `[label]` at the start of a paragraph: may it become a reference definition? */
export function isUnfinishedDefinition(text: string): boolean {
  if (!text.startsWith(':')) return false
  const inside = text.slice(1).trimStart()
  const rest = skipDestination(inside)
  return (
    rest === undefined ||
    rest.trim() === '' ||
    (/^\s/.test(rest) && isUnfinishedTitle(rest.trimStart()))
  )
}

// A last line that is nothing but a mark, after the marks of the containers around it: `-` may become an item, a rule
// or an underline, `#` a heading or a hashtag, `12` a number or an item, `>` a blank line or the next of a paragraph. A
// line of backticks is no fence if another one comes.
const containers = /^(?:[ \t>]|(?:[-+*]|\d{1,9}[.)])[ \t]+(?=\S))*/
const marks =
  /^(?:[-+*_=][-+*_= \t]*|#{1,6}[ \t]*|\d{1,9}[.)]?[ \t]*|`{1,2}|`{3,}[^`]*|~+|\|[ \t]*|\[[^\]]{0,80}\]?:?[ \t]*)?$/

/** Whether an unfinished line can be read already. */
export function isDecided(line: string): boolean {
  const rest = line.replace(containers, '')
  return !marks.test(rest) && !(rest.startsWith('<') && isUnfinishedAngle(rest))
}
