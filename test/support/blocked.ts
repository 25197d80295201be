/** Statements that wait for a lock. */
import type { ClientBase, Pool } from 'pg'
import { expect } from 'vitest'

/** Waits until a statement of the database that begins with the text waits for a lock. */
export async function waitUntilBlocked(db: Pool | ClientBase, text = ''): Promise<void> {
  const countBlocked = async () => {
    const { rowCount } = await db.query(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND starts_with(query, $1)`,
      [text],
    )
    return rowCount
  }
  await expect.poll(countBlocked, { interval: 10, timeout: 60_000 }).toBeGreaterThan(0)
}
