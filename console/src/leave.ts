/** Listeners for history navigation that run before the router. */
type Listener = (event: PopStateEvent) => void

let listener: Listener | null = null

/** Listeners of the window are called in the order in which they came: before the router begins to listen. */
export function listenFirst(): void {
  addEventListener('popstate', (event) => listener?.(event))
}

export function listenBeforeRouter(next: Listener | null): void {
  listener = next
}

/** Leaves, now or later. Where that fails, what it gives, or promises, is false. */
export type Way = () => unknown

let ask: ((leave: Way) => void) | null = null

/** Sets or clears the listener that can cancel a navigation. */
export function askBeforeLeaving(next: typeof ask): void {
  ask = next
}

/** For ways that are neither a link nor the history: signing out. */
export function leaveBy(way: Way): void {
  if (ask === null) way()
  else ask(way)
}
