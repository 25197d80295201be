/**
 * How much of what is asked the request log keeps, second by second: all of it at the pace of an integration that works,
 * a part of it in a storm. Errors are what people look for there, so some places are theirs alone.
 */
export const KEPT_PER_SECOND = { company: 25, process: 200 } as const
/** What a company has of it, all in all: pruned now and then, so that there may be more for a while. */
export const LOG_MAX_DAYS = 7
/**
 * Of those that succeed, and again of those that fail, the latest are all there. Of older ones the first in every so many
 * minutes is: at most 2,016 in seven days, so that a busy company still sees days, and at most 5,000 with the others.
 */
export const LOG_LATEST = 2_500
export const LOG_OLDER_MINUTES = 5
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
