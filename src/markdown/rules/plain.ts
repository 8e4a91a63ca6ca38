import type { ResolvedLimits } from '../limits.ts'
import type { MarkdownIt, StateBlock } from '../markdown-it.ts'

/** Takes what lies too deep, or a line that is too long, out of the grammar: a `plain` token holds it as written. */
export function plainRule(md: MarkdownIt, limits: ResolvedLimits): void {
  const plain = (state: StateBlock, line: number, endLine: number, silent: boolean): boolean => {
    const isDeep = !silent && state.level >= limits.depth
    const isLong = (state.eMarks[line] ?? 0) - (state.bMarks[line] ?? 0) > limits.line
    if (!isDeep && !isLong) return false
    if (silent) return true
    let end = line + 1
    while (isDeep && end < endLine && (state.sCount[end] ?? 0) >= state.blkIndent) end++
    const token = state.push('plain', '', 0)
    token.content = state.getLines(line, end, state.blkIndent, false)
    token.info = isDeep ? 'depth' : 'line'
    token.map = [line, end]
    state.line = end
    return true
  }
  const alt = ['paragraph', 'reference', 'blockquote', 'list']
  md.block.ruler.before('table', 'plain', plain, { alt })
}
