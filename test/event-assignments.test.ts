/** The staff members and resources of events as rows, which filters and checks of overlaps use. */
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../src/db/transaction.ts'
import { refreshEventAssignments } from '../src/records/event/assignments.ts'
import { createDatabase } from './support/database.ts'
import { expectAssignments } from './support/derived.ts'
import { SLOW_RUNS } from './support/property-runs.ts'
import { MINIMAL, clearWorld, importValid } from './support/world.ts'
import type { TestRecord } from './support/world.ts'

const { pool, connection } = await createDatabase()

const event = (fields: TestRecord, id = 'evt', companyId = 'c'): TestRecord => ({
  ...MINIMAL.event,
  id,
  companyId,
  ...fields,
})

beforeEach(async () => {
  await clearWorld(pool)
  await pool.query('TRUNCATE event_assignments')
  await importValid(connection, [MINIMAL.company, { ...MINIMAL.company, id: 'd' }])
})

const assignments = async () =>
  (await pool.query<object>('SELECT * FROM event_assignments ORDER BY kind, assignee_id')).rows

/** As the driver returns it. */
const stored = (time: string) => time.replace('T', ' ').replace(/(\.000)?Z$/, '+00')

const TIMES = {
  serviceStartTime: '2026-06-01T10:00:00.000Z',
  serviceEndTime: '2026-06-01T18:00:00.000Z',
}

describe('the assignments of an event', () => {
  it('have one row per staff member and resource, with the creation of the event', async () => {
    const createdAt = '2026-01-02T03:04:05.678Z'
    await importValid(connection, [event({ createdAt, staffIds: ['b', 'a'], resourceIds: ['a'] })])
    const row = {
      company_id: 'c',
      event_id: 'evt',
      event_created_at: stored(createdAt),
      busy_from: stored(TIMES.serviceStartTime),
      busy_to: stored(TIMES.serviceEndTime),
    }
    expect(await assignments()).toEqual([
      { ...row, kind: 'resource', assignee_id: 'a' },
      { ...row, kind: 'staff', assignee_id: 'a' },
      { ...row, kind: 'staff', assignee_id: 'b' },
    ])
  })

  const at = (time: string) => `2026-06-01T${time}:00.000Z`
  it.each<[string, TestRecord, [string, string] | null]>([
    ['the shift', { shiftStartTime: at('08:00'), shiftEndTime: at('20:00') }, ['08:00', '20:00']],
    ['the start of the shift, the end of the service', { shiftStartTime: at('08:00') }, ['08:00', '18:00']],
    ['the start of the service, the end of the shift', { shiftEndTime: at('20:00') }, ['10:00', '20:00']],
    ['no time if it ends at the start', { shiftEndTime: at('10:00') }, null],
    ['no time if it ends before the start', { shiftStartTime: at('19:00') }, null],
  ])('are busy for %s', async (_, shift, expected) => {
    await importValid(connection, [event({ ...shift, staffIds: ['a'] })])
    const [from, to] = expected?.map((time) => stored(at(time))) ?? [null, null]
    expect(await assignments()).toMatchObject([{ busy_from: from, busy_to: to }])
  })
})

const id = fc.constantFrom('e1', 'e2', 'e3')
const company = fc.constantFrom('c', 'd')
const time = fc.integer({ min: 0, max: 3 }).map((hour) => new Date(Date.UTC(2026, 5, 1, hour)).toISOString())
const values = {
  serviceStartTime: time,
  serviceEndTime: time,
  shiftStartTime: fc.option(time),
  shiftEndTime: fc.option(time),
  staffIds: fc.subarray(['a', 'b', 'c']),
  resourceIds: fc.subarray(['a', 'd']),
}

type Change = () => Promise<void>

const importing = fc
  .uniqueArray(fc.record({ companyId: company, id, ...values }), {
    selector: (one) => `${one.companyId} ${one.id}`,
    minLength: 1,
  })
  .map(
    (events): Change =>
      () =>
        importValid(
          connection,
          events.map((one) => ({ ...MINIMAL.event, ...one })),
        ),
  )

/** As an action does: an update of one or two events, and then the refresh. */
const updating = fc.record({ company, ids: fc.subarray(['e1', 'e2', 'e3']), ...values }).map(
  (one): Change =>
    () =>
      inTransaction(pool, async (db) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a client of the pool
        const client = db as unknown as typeof pool
        await client.query(
          `UPDATE events SET service_start_time = $3, service_end_time = $4, shift_start_time = $5, shift_end_time = $6,
           staff_ids = $7, resource_ids = $8 WHERE company_id = $1 AND id = ANY($2)`,
          [
            one.company,
            one.ids,
            one.serviceStartTime,
            one.serviceEndTime,
            one.shiftStartTime,
            one.shiftEndTime,
            one.staffIds,
            one.resourceIds,
          ],
        )
        await refreshEventAssignments(db, one.company, one.ids)
      }),
)

const CHANGES = Math.min(60, 4 * SLOW_RUNS)

describe('the assignments of several events', () => {
  it('match a recount after each of many changes', async () => {
    const changes = fc.array(fc.oneof(importing, updating), { minLength: CHANGES, maxLength: CHANGES })
    const property = fc.asyncProperty(changes, async (all) => {
      for (const change of all) {
        await change()
        await expectAssignments(pool)
      }
    })
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
  })

  it('match a recount after concurrent imports and updates', async () => {
    const changes = fc.array(fc.oneof(importing, updating), { minLength: 6, maxLength: 6 })
    const property = fc.asyncProperty(changes, async (all) => {
      await Promise.all(all.map((change) => change()))
      await expectAssignments(pool)
    })
    await fc.assert(property, { numRuns: Math.min(10, SLOW_RUNS), endOnFailure: true })
  })

  it('are not written without a difference', async () => {
    await importValid(connection, [event({ staffIds: ['a', 'b'] })])
    const versions = async () => (await pool.query('SELECT xmin::text FROM event_assignments')).rows
    const before = await versions()
    await refreshEventAssignments(pool, 'c', ['evt'])
    await importValid(connection, [event({ staffIds: ['b', 'a'] })])
    expect(await versions()).toEqual(before)
  })
})
