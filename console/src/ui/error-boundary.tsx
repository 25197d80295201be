/** Shows what went wrong in the place of a page, and not a white one. */
import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorState } from './states.tsx'

interface State {
  error: Error | null
  place: string
}

interface Props {
  /** With another one it tries again. */
  place: string
  children: ReactNode
}

/** A class, since nothing else can catch what is thrown while a page is shown. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, place: '' }

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { error: null, place }
  }

  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error: error instanceof Error ? error : new Error('Something went wrong on this page.') }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    // A part of the application that was replaced by a newer release comes with a reload, and so does one that got lost.
    const isMissing = /import|module|fetch/i.test(error.message)
    const shown = isMissing
      ? new Error('This page could not be loaded. The service may be away, or was just updated.')
      : new Error('Something went wrong on this page. If it happens again, tell your administrator.')
    return <ErrorState error={shown} onRetry={() => location.reload()} />
  }
}
