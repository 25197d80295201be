/** Kills `quoting migrate` shortly after the start of a migration. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningCommand } from './command.ts'

/** A client of the migrated database */
interface Observer {
  query: (text: string) => Promise<{ rowCount: number | null }>
}

/** Also waits until the server has ended the transaction. */
export async function killWhileMigrating(
  observer: Observer,
  command: RunningCommand,
  delayMs: number,
): Promise<void> {
  const ended = command.ended.then(() => true)
  while (!(await isMigrating(observer)) && !(await Promise.race([ended, sleep(1, false)])));
  await sleep(delayMs)
  command.kill('SIGKILL')
  await ended
  while (await isMigrating(observer)) await sleep(5)
}

/** A migration holds this lock until its transaction ends. */
async function isMigrating(observer: Observer): Promise<boolean> {
  const { rowCount } = await observer.query(`
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7230518 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
  return rowCount !== 0
}
