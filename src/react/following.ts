'use client'

/** What a scroll region measures, in pixels. */
export interface ScrollPlace {
  readonly top: number
  readonly height: number
  readonly viewport: number
}

/** Whether the view follows what is added at the end, and where it stood when that was last decided. */
export interface Following {
  readonly isFollowing: boolean
  readonly place: ScrollPlace
}

/** Fractions of a pixel never add up exactly when a page is zoomed. */
const settled = 1
/** A reader who comes within this of the end has come to the end. */
const arrival = 4

/** Pixels between the view's lower edge and the end. */
export const distanceToEnd = ({ top, height, viewport }: ScrollPlace): number =>
  height - viewport - top

/** Whether nothing is left below. */
export const isAtEnd = (place: ScrollPlace): boolean => distanceToEnd(place) <= settled

/**
 * Decides after a scroll event. Upward by any amount is a wish to stay, unless the content itself became shorter or
 * moved while nobody held the scrollbar; only a downward move that brings the end nearer, without the content having
 * changed, is a wish to follow.
 */
export function afterScroll(before: Following, place: ScrollPlace, isHeld = false): Following {
  const moved = place.top - before.place.top
  const hasContentChanged =
    place.height !== before.place.height || place.viewport !== before.place.viewport
  if (before.isFollowing) {
    const wantsAway = moved < 0 && !isAtEnd(place) && (isHeld || !hasContentChanged)
    return { isFollowing: !wantsAway, place }
  }
  const isNearer = distanceToEnd(place) < distanceToEnd(before.place)
  const wantsBack = moved > 0 && isNearer && distanceToEnd(place) <= arrival
  return { isFollowing: wantsBack, place }
}
