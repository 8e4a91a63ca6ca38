'use client'
import {
  cloneElement,
  createElement,
  type ComponentPropsWithRef,
  type JSX,
  type ReactElement,
  type Ref,
  type SyntheticEvent,
} from 'react'

type Tag = keyof JSX.IntrinsicElements

/** What a part tells its own look and a `render` function: words become `data-*` values, `true` an empty one. */
export type PartState = Readonly<Record<string, string | number | boolean | undefined>>

/** Props of an element as our parts hand them on. */
export type ElementProps = Record<string, unknown>

/**
 * Puts another element in a part's place: an element, which gets the part's props merged into its own, or a function
 * of those props and the part's state.
 */
export type RenderProp<State> =
  | ReactElement<ElementProps>
  | ((props: ElementProps, state: State) => ReactElement)

/** Props of a part: those of its element, `ref` among them, and `render`. `part` means a message's, not a shadow tree's. */
export type PartProps<Name extends Tag, State = PartState> = Omit<
  ComponentPropsWithRef<Name>,
  'part'
> & {
  readonly render?: RenderProp<State> | undefined
}

/** State as attributes: `{ isOpen: true, status: 'running' }` → `data-is-open=""`, `data-status="running"`. */
export function dataAttributes(state: PartState): Record<`data-${string}`, string> {
  const attributes: Record<`data-${string}`, string> = {}
  for (const [key, value] of Object.entries(state)) {
    if (value === undefined || value === false) continue
    const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    attributes[`data-${name}`] = value === true ? '' : String(value)
  }
  return attributes
}

type Handler = (event: SyntheticEvent) => void

const isHandler = (name: string, value: unknown): value is Handler =>
  /^on[A-Z]/.test(name) && typeof value === 'function'

/** Theirs first; ours only if they did not prevent it. */
function chain(theirs: Handler, ours: Handler): Handler {
  return (event) => {
    theirs(event)
    if (!event.defaultPrevented) ours(event)
  }
}

function assignRef<T>(ref: Ref<T>, value: T | null): (() => void) | undefined {
  if (typeof ref === 'function') {
    const cleanup = ref(value)
    return typeof cleanup === 'function' ? cleanup : () => ref(null)
  }
  if (ref !== null) {
    ref.current = value
    return () => {
      ref.current = null
    }
  }
  return undefined
}

/** One ref that sets both. Not memoised: use it where the two rarely change. */
export function mergeRefs<T>(a: Ref<T> | undefined, b: Ref<T> | undefined): Ref<T> | undefined {
  if (a === undefined || a === null) return b
  if (b === undefined || b === null) return a
  return (value) => {
    const cleanups = [assignRef(a, value), assignRef(b, value)]
    return () => {
      for (const cleanup of cleanups) cleanup?.()
    }
  }
}

/** Merges a caller's props over a part's own: classes add up, handlers chain, refs are both set, the rest is theirs. */
export function mergeProps(ours: ElementProps, theirs: ElementProps): ElementProps {
  const merged: ElementProps = { ...ours }
  for (const [name, value] of Object.entries(theirs)) {
    const own = ours[name]
    if (value === undefined) continue
    if (name === 'className')
      merged[name] = [own, value].filter((part) => typeof part === 'string').join(' ')
    else if (name === 'ref') merged[name] = mergeRefs(own as Ref<unknown>, value as Ref<unknown>)
    else if (isHandler(name, value) && isHandler(name, own)) merged[name] = chain(value, own)
    else merged[name] = value
  }
  return merged
}

/** Draws a part: its element with its own props, the caller's over them, and its state as `data-*`. */
export function renderPart<Name extends Tag, State extends PartState>(
  tag: Name,
  { render, ...theirs }: PartProps<Name, State>,
  ours: PartProps<Name>,
  state: State,
): ReactElement {
  const props = mergeProps({ ...ours, ...dataAttributes(state) }, theirs)
  if (typeof render === 'function') return render(props, state)
  if (render !== undefined) return cloneElement(render, mergeProps(props, render.props))
  return createElement(tag, props)
}
