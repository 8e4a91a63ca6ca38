/**
 * Colours for code, by Shiki (an optional peer), loaded when the first code block is drawn.
 *
 * @module
 */
export { shikiCode } from './code/shiki-code.ts'
