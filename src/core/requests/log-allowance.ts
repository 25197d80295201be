/**
 * How many requests per second the request log keeps: all of them at the rate of a healthy integration, a sample in a burst.
 * Part of the allowance is reserved for errors, which people look for there.
 */
export const KEPT_PER_SECOND = { company: 25, process: 200 } as const
/** Entries per company. Pruned from time to time, so there may be more for a while. */
export const LOG_MAX_DAYS = 7
/**
 * Keeps the latest successful and the latest failed requests. Of older ones it keeps the first in each interval of a few
 * minutes: at most 2,016 in seven days, so that a busy company still sees days, and at most 5,000 with the others.
 */
export const LOG_LATEST = 2_500
export const LOG_OLDER_MINUTES = 5
/** Successful requests are kept up to this many per second. */
const SUCCESSES_PER_SECOND = { company: 15, process: 120 } as const

/** Whether to keep a request that was answered at this time in milliseconds. Counts those that are kept. */
export type LogAllowance = (companyId: string, isError: boolean, now: number) => boolean

export function createLogAllowance(): LogAllowance {
  const kept = new Map<string, number>()
  let keptInAll = 0
  let second = -1
  return (companyId, isError, now) => {
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      keptInAll = 0
      kept.clear()
    }
    const ofCompany = kept.get(companyId) ?? 0
    const most = isError ? KEPT_PER_SECOND : SUCCESSES_PER_SECOND
    if (ofCompany >= most.company || keptInAll >= most.process) return false
    kept.set(companyId, ofCompany + 1)
    keptInAll++
    return true
  }
}
