/** When deliveries or messages may be due: soon after a change, and every second, for retries and for changes whose notification was lost. */
import { throttle } from '../core/throttle.ts'
import type { ChangeListener } from './listener.ts'

const POLL_MS = 1_000
/** In a burst of writes, all changes within this time cause one search. */
const TOGETHER_MS = 50

/** Returns a function that stops it. */
export function onWork(changes: Pick<ChangeListener, 'onChange'>, callback: () => void): () => void {
  const search = throttle(callback, TOGETHER_MS)
  const stopListening = changes.onChange(search.call)
  const timer = setInterval(callback, POLL_MS)
  timer.unref()
  return () => {
    stopListening()
    search.stop()
    clearInterval(timer)
  }
}
