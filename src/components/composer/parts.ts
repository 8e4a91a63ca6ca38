/** The parts of a composer. @module */
export { ComposerRoot as Root, type ComposerRootProps as RootProps } from './composer-root.tsx'
export { ComposerInput as Input, type ComposerInputProps as InputProps } from './composer-input.tsx'
export { ComposerSubmit as Submit } from './composer-submit.tsx'
export { ComposerHint as Hint } from './composer-hint.tsx'
