'use client'
import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** What stands in place of a part that threw. */
  readonly notice: ReactNode
  /** A new value tries again: a part that failed while it grew may do once it is whole. */
  readonly attempt: string
  readonly onError: (error: unknown) => void
}

interface State {
  readonly attempt: string
  readonly isFailed: boolean
}

/** Keeps the failure of one part to itself. React has no other way than a class. */
export class PartBoundary extends Component<Props, State> {
  override state: State = { attempt: this.props.attempt, isFailed: false }

  static getDerivedStateFromError(): Partial<State> {
    return { isFailed: true }
  }

  static getDerivedStateFromProps({ attempt }: Props, state: State): State | null {
    return attempt === state.attempt ? null : { attempt, isFailed: false }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
  }

  override render(): ReactNode {
    return this.state.isFailed ? this.props.notice : this.props.children
  }
}
