/** Listeners for history navigation that run before the router. */
type Listener = (event: PopStateEvent) => void

let listener: Listener | null = null

/** Window listeners run in the order of registration, so this one must be registered before the router's. */
export function listenFirst(): void {
  addEventListener('popstate', (event) => listener?.(event))
}

export function listenBeforeRouter(next: Listener | null): void {
  listener = next
}

/** Leaves, now or later. Returns or resolves to false if that fails. */
export type Way = () => unknown

let ask: ((leave: Way) => void) | null = null

/** Sets or clears the listener that can cancel a navigation. */
export function askBeforeLeaving(next: typeof ask): void {
  ask = next
}

/** For signing out, which is neither a link nor history navigation. */
export function leaveBy(way: Way): void {
  if (ask === null) way()
  else ask(way)
}
