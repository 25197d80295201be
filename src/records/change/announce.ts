/** Tells the processes on this database which companies have recorded changes. */
import { throttle } from '../../core/throttle.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

export const CHANGES_CHANNEL = 'changes'

const NOTIFY = statement(sql`SELECT pg_notify('changes', id) FROM unnest($1::text[]) AS id`)

/** In a burst of writes, those that commit within this time are announced together. */
const TOGETHER_MS = 50

/** Inside of a transaction, it is sent at the commit. Only for rare writes: commits with notifications wait for each other. */
export async function notifyChanges(db: Db, companyIds: readonly string[]): Promise<void> {
  await queryRows(db, NOTIFY, [companyIds])
}

const announcers = new WeakMap<Db, (companyId: string) => void>()

/**
 * Called after the commit, because of those waits. If the notification is lost, because the process ends before it is sent,
 * listeners find the change by their own check (changes/listener.ts).
 */
export function announceChanges(db: Db, companyId: string): void {
  let announce = announcers.get(db)
  if (announce === undefined) {
    announce = createAnnouncer(db)
    announcers.set(db, announce)
  }
  announce(companyId)
}

function createAnnouncer(db: Db): (companyId: string) => void {
  const waiting = new Set<string>()
  const send = throttle(() => {
    const companyIds = [...waiting]
    waiting.clear()
    notifyChanges(db, companyIds).catch(() => undefined)
  }, TOGETHER_MS)
  return (companyId) => {
    waiting.add(companyId)
    send.call()
  }
}
