/** When deliveries or messages may be due: soon after a change, and every second, for retries and for changes whose notification was lost. */
import type { ChangeListener } from './listener.ts'

const POLL_MS = 1_000
/** Changes within this time cause one call, so that a burst of writes does not become a burst of searches. */
const TOGETHER_MS = 20

/** Returns how to stop. */
export function onWork(changes: Pick<ChangeListener, 'onChange'>, callback: () => void): () => void {
  let soon: NodeJS.Timeout | undefined
  const stopListening = changes.onChange(() => {
    soon ??= setTimeout(() => {
      soon = undefined
      callback()
    }, TOGETHER_MS)
  })
  const timer = setInterval(callback, POLL_MS)
  timer.unref()
  return () => {
    stopListening()
    clearTimeout(soon)
    clearInterval(timer)
  }
}
