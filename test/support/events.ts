/** Events with staff and resources, and the API that changes them. */
import type { Pool } from 'pg'
import { refreshEventAssignments } from '../../src/records/event/assignments.ts'
import { readChanges } from './actions.ts'
import { KEY, createQuoteApi, plant } from './quotes.ts'
import type { Row } from './quotes.ts'
import { poster } from './writes.ts'

export const at = (hour: number) => `2027-05-01T${String(hour).padStart(2, '0')}:00:00.000Z`

export const hours = (start: number, end: number) => ({
  service_start_time: at(start),
  service_end_time: at(end),
})

/** Creates a company with active staff a, b and c, and resources v and w. */
export async function createEventApi() {
  const { pool, connection, server } = await createQuoteApi()
  for (const id of ['a', 'b', 'c']) await plant(pool, 'staff', 'co_1', id)
  await plant(pool, 'staff', 'co_1', 'gone', { status: 'inactive' })
  await plant(pool, 'staff', 'co_2', 'foreign')
  for (const id of ['v', 'w']) await plant(pool, 'resources', 'co_1', id)
  await plant(pool, 'resources', 'co_1', 'old', { status: 'Inactive' })
  await plant(pool, 'locations', 'co_1', 'loc_2')
  await plant(pool, 'locations', 'co_1', 'closed', { archived_at: at(0) })
  const post = poster(server)
  return {
    pool,
    connection,
    server,
    update: (id: string, body: object, options = {}) => post(`/api/events/${id}`, body, options),
    cancel: (id: string, options = {}) => post(`/api/events/${id}/cancel`, {}, options),
    get: async (id: string) => (await server.get(`/api/events/${id}`, KEY)).body as Record<string, unknown>,
    /** The changes of one event */
    changesOf: async (id: string) =>
      (await readChanges(pool)).filter(({ subject }) => subject === `event ${id}`),
  }
}

export async function plantEvent(pool: Pool, id: string, row: Row = {}, companyId = 'co_1'): Promise<string> {
  await plant(pool, 'events', companyId, id, { updated_at: '2026-01-01T00:00:00Z', ...hours(10, 12), ...row })
  await refreshEventAssignments(pool, companyId, [id])
  return id
}
