/** Large pages are read one at a time: each can take several times the largest response in memory. */
import { createAdmission } from './admission.ts'
import type { Admission, AdmissionCounts, AdmissionOptions } from './admission.ts'

/** Sixteen clients that read the largest pages at the same time are all served, also on a slow machine. */
const WAIT_MAX_MS = 30_000

export interface LargePages {
  run: <Result>(companyId: string, work: () => Promise<Result>) => Promise<Result>
  counts: () => AdmissionCounts
}

/** Companies take turns: only the first request of each waits for the common slot, the others behind it. */
export function createLargePages(onDatabaseHang?: AdmissionOptions['onDatabaseHang']): LargePages {
  const common = createAdmission(1, { onDatabaseHang, waitMaxMs: WAIT_MAX_MS })
  const byCompany = new Map<string, Admission>()
  return {
    run: async (companyId, work) => {
      const own = byCompany.get(companyId) ?? createAdmission(1, { waitMaxMs: WAIT_MAX_MS })
      byCompany.set(companyId, own)
      try {
        return await own.run(() => common.run(work))
      } finally {
        if (own.counts().active === 0) byCompany.delete(companyId)
      }
    },
    counts: () => {
      const { active, waiting } = common.counts()
      const behind = [...byCompany.values()].reduce((sum, own) => sum + own.counts().waiting, 0)
      return { active, waiting: waiting + behind }
    },
  }
}
