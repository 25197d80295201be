/** Who wants to know that the history was walked, before the router does. */
type Listener = (event: PopStateEvent) => void

let listener: Listener | null = null

/** Listeners of the window are called in the order in which they came: before the router begins to listen. */
export function listenFirst(): void {
  addEventListener('popstate', (event) => listener?.(event))
}

export function listenBeforeRouter(next: Listener | null): void {
  listener = next
}
