export interface Throttled {
  call: () => void
  /** A run that waits is left out. */
  stop: () => void
}

/** Runs at the first call, and then at most once per interval: calls meanwhile cause one run at its end. */
export function throttle(work: () => void, intervalMs: number): Throttled {
  let timer: NodeJS.Timeout | undefined
  let isWaiting = false
  const runNow = () => {
    isWaiting = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWaiting) runNow()
    }, intervalMs)
    work()
  }
  return {
    call: () => {
      if (timer === undefined) runNow()
      else isWaiting = true
    },
    stop: () => {
      clearTimeout(timer)
      isWaiting = false
    },
  }
}
