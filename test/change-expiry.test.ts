/** Deletion of old changes. */
import { expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { createApiKey } from '../src/actions/api-keys.ts'
import { createTask } from '../src/actions/create-task.ts'
import { expireChanges } from '../src/changes/expiry.ts'
import { contextOf, readChanges } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'

const { pool } = await createDatabase()

async function plantChanges(companyId: string, agesInDays: readonly number[]): Promise<void> {
  await insertCompany(pool, companyId)
  await plant(pool, 'events', companyId, 'ev_1')
  for (const [i, age] of agesInDays.entries()) {
    await runAction(contextOf(pool, companyId), createTask, {
      eventId: 'ev_1',
      description: 'x',
      dueDate: null,
    })
    await pool.query(
      `UPDATE changes SET created_at = now() - make_interval(days => $3) WHERE company_id = $1 AND sequence = $2`,
      [companyId, i + 1, age],
    )
  }
}

const sequences = async (companyId: string) =>
  (await readChanges(pool, companyId)).map(({ sequence }) => sequence)

it('F10: deletes expired changes, but never the newest change of a company', async () => {
  await plantChanges('co_mixed', [200, 91, 89, 0])
  await plantChanges('co_old', [400, 300, 200])
  await plantChanges('co_new', [1, 0])
  await expireChanges({ pool, keptDays: 90, log: { warn: () => undefined } })
  expect(await sequences('co_mixed')).toEqual([3, 4])
  expect(await sequences('co_old')).toEqual([3])
  expect(await sequences('co_new')).toEqual([1, 2])
})

it('deletes more than one batch', async () => {
  await plantChanges('co_many', [100])
  await pool.query(
    `INSERT INTO changes SELECT company_id, n, type, subject_object, subject_id, actor_type, actor_id, actor_name, data,
      previous, created_at FROM changes, generate_series(2, 2500) n WHERE company_id = 'co_many' AND sequence = 1`,
  )
  await pool.query(`UPDATE change_counters SET last_sequence = 2500 WHERE company_id = 'co_many'`)
  await expireChanges({ pool, keptDays: 90, log: { warn: () => undefined } })
  expect(await sequences('co_many')).toEqual([2500])
})

it('deletes expired audit entries', async () => {
  await insertCompany(pool, 'co_audit')
  for (const name of ['Old', 'New']) await runAction(contextOf(pool, 'co_audit'), createApiKey, { name })
  await pool.query(
    `UPDATE audit_entries SET created_at = now() - interval '91 days' WHERE company_id = 'co_audit' AND subject_name = 'Old'`,
  )
  await expireChanges({ pool, keptDays: 90, log: { warn: () => undefined } })
  const { rows } = await pool.query(`SELECT subject_name FROM audit_entries WHERE company_id = 'co_audit'`)
  expect(rows).toEqual([{ subject_name: 'New' }])
})
