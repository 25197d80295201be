/** The calls of the event pages. */
import { signedIn } from './console.ts'
import { createDatabase } from './database.ts'
import { KEY, OTHER_KEY, plant } from './quotes.ts'
import { insertCompany } from './records.ts'
import { startServer } from './server.ts'
import type { Answer } from './server.ts'

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function success<Body>(answer: Answer): Body {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`)
  return answer.body as Body
}

export async function createEventConsole() {
  const database = await createDatabase()
  const { pool } = database
  await insertCompany(pool, 'co_1', { key: KEY })
  await insertCompany(pool, 'co_2', { key: OTHER_KEY })
  const server = await startServer(database.connection)
  const admin = await signedIn(server, database, 'co_1')
  const member = await signedIn(server, database, 'co_1', 'MEMBER')
  const stranger = await signedIn(server, database, 'co_2')

  const event = (companyId: string, id: string, start: string, end: string, row = {}) =>
    plant(pool, 'events', companyId, id, { service_start_time: start, service_end_time: end, ...row })

  const place = (companyId: string, id: string, timeZone: string) =>
    plant(pool, 'locations', companyId, id, { name: `At ${id}`, time_zone: timeZone })

  await place('co_1', 'kiritimati', 'Pacific/Kiritimati')
  await place('co_1', 'honolulu', 'Pacific/Honolulu')
  await place('co_1', 'berlin', 'Europe/Berlin')
  await place('co_2', 'theirs', 'Europe/Paris')
  return { pool, server, admin, member, stranger, event }
}
