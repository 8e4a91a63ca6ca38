/** A text without the half of a character that it may end in, where it was cut between the two units of one. */
export function wholeText(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd8_00 && last <= 0xdb_ff ? text.slice(0, -1) : text
}
