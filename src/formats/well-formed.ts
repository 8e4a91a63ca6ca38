/**
 * The part of a growing text that may be shown: a pair of surrogates may be cut between two pieces, and half a
 * character is held back until its other half comes.
 */
export function wellFormed(holder: { held: string }, piece: string): string {
  let whole = holder.held === '' ? piece : holder.held + piece
  holder.held = ''
  const last = whole.charCodeAt(whole.length - 1)
  if (last >= 0xd800 && last <= 0xdbff) {
    holder.held = whole.slice(-1)
    whole = whole.slice(0, -1)
  }
  return whole.isWellFormed() ? whole : whole.toWellFormed()
}
