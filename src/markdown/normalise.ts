/** Turns CRLF and CR into LF and NUL into U+FFFD, over chunks. */
export function createNormaliser(): { push(chunk: string): string; end(): string } {
  let held = ''
  return {
    push(chunk) {
      let text = held + chunk
      // Half a pair or half a line end waits for its other half.
      held = /[\r\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
      if (held !== '') text = text.slice(0, -1)
      return normalise(text)
    },
    end() {
      const rest = held
      held = ''
      return normalise(rest)
    },
  }
}

const normalise = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
