/** Calls back when deliveries may be due. Returns how to stop. */
const POLL_MS = 1_000

export function onWork(callback: () => void): () => void {
  const timer = setInterval(callback, POLL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
