/** What an owner says before its action, and after it. */
export const FIRST =
  'The gate is opened by a hand’s breadth, 水 begins to run, and the meadow waits for it. '
export const SECOND = 'It has been paid; the water now runs until the morning, and then it rests.'

export type ToOwner = { readonly type: 'settle' }
export type FromOwner =
  | { readonly type: 'ready'; readonly port: number }
  /** No run of this process goes on. */
  | { readonly type: 'settled' }
