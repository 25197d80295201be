/**
 * How much of what is asked the request log keeps, second by second: all of it at the pace of an integration that works,
 * a part of it in a storm. Errors are what people look for there, so some places are theirs alone.
 */
export const KEPT_PER_SECOND = { company: 25, process: 200 } as const
/** What a company has of it, all in all: pruned now and then, so that there may be somewhat more for a while. */
export const LOG_MAX_DAYS = 7
export const LOG_MAX_ENTRIES = 10_000
/** What is not an error is kept while no more than so many are. */
const SUCCESSES_PER_SECOND = { company: 15, process: 120 } as const

/** Whether to keep a request that was answered at this time, in milliseconds; one that is to be kept is counted. */
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
