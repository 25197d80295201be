import type { MeasuredMigration } from '../db/rehearsal.ts'

/** Locks that let others read and write are left out. */
const BLOCKING: Record<string, string> = {
  ShareLock: 'SHARE, which blocks writes, on',
  ShareRowExclusiveLock: 'SHARE ROW EXCLUSIVE, which blocks writes, on',
  ExclusiveLock: 'EXCLUSIVE, which blocks writes, on',
  AccessExclusiveLock: 'ACCESS EXCLUSIVE, which blocks reads and writes, on',
}

export function describeMigration({ name, durationMs, locks }: MeasuredMigration): string {
  const byMode = new Map<string, string[]>()
  for (const { table, mode } of locks) {
    const words = BLOCKING[mode]
    if (words !== undefined) byMode.set(words, [...(byMode.get(words) ?? []), table])
  }
  const held = [...byMode].map(([words, tables]) => `${words} ${tables.join(', ')}`)
  const locked = held.length === 0 ? 'no lock that blocks reads or writes' : `locks ${held.join('; ')}`
  return `${name}: ${(durationMs / 1000).toFixed(2)} s, ${locked}.`
}
