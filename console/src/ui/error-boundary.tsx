/** Shows an error in place of a page that failed to render. */
import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorState } from './states.tsx'

interface State {
  error: Error | null
  place: string
}

interface Props {
  /** A new value resets the error. */
  place: string
  children: ReactNode
}

/** Only class components can catch errors during rendering. */
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
    // A reload loads code that a newer release replaced or that failed to load.
    const isMissing = /import|module|fetch/i.test(error.message)
    const shown = isMissing
      ? new Error('This page could not be loaded. The service may be offline or was just updated.')
      : new Error('Something went wrong on this page. If it happens again, tell your administrator.')
    return <ErrorState error={shown} onRetry={() => location.reload()} />
  }
}
