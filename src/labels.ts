/** Strings of the interface in four languages. @module */
export { en } from './react/labels/en.ts'
export { de } from './react/labels/de.ts'
export { ja } from './react/labels/ja.ts'
export { ar } from './react/labels/ar.ts'
export type { Labels } from './react/labels/labels.ts'
