export interface Throttled {
  call: () => void
  /** Cancels a pending run, and ignores further calls. */
  stop: () => void
}

/** Runs at the first call, and then at most once per interval: calls meanwhile cause one run at its end. */
export function throttle(work: () => void, intervalMs: number): Throttled {
  let timer: NodeJS.Timeout | undefined
  let isWaiting = false
  let isStopped = false
  const runNow = () => {
    isWaiting = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWaiting) runNow()
    }, intervalMs).unref()
    work()
  }
  return {
    call: () => {
      if (isStopped) return
      if (timer === undefined) runNow()
      else isWaiting = true
    },
    stop: () => {
      clearTimeout(timer)
      isWaiting = false
      isStopped = true
    },
  }
}
