'use client'

/** A key press as React gives it. */
interface KeyPress {
  readonly nativeEvent: { readonly isComposing: boolean; readonly keyCode: number }
}

/** While an input method is open, its keys are its own. `keyCode` 229 is how Safari says so after the composition. */
export const isComposing = ({ nativeEvent }: KeyPress): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229

/** Follows the input method of one text box. */
export interface Composition {
  /** To be called on `compositionend`. */
  end(): void
  /** Whether a key press belongs to the input method: until one task after it closed, for browsers that close it first. */
  owns(event: KeyPress): boolean
}

/** Creates a {@link Composition}. */
export function createComposition(): Composition {
  let hasJustEnded = false
  return {
    end: () => {
      hasJustEnded = true
      setTimeout(() => {
        hasJustEnded = false
      })
    },
    owns: (event) => hasJustEnded || isComposing(event),
  }
}
