/** Which changes become deliveries, and the encryption of stored secrets. */
import { describe, expect, it } from 'vitest'
import { createWebhookSecrets, newWebhookSecret } from '../src/core/security/webhook-secret.ts'
import { lockCompany } from '../src/records/change/record.ts'
import { insertEndpoint } from '../src/records/webhook-endpoint/queries.ts'
import type { StoredSecret } from '../src/records/webhook-endpoint/queries.ts'
import { resealSecrets } from '../src/records/webhook-endpoint/secrets.ts'
import { openPool } from '../src/db/connect.ts'
import { waitUntilBlocked } from './support/blocked.ts'
import { atEnd } from './support/at-end.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { addEndpoint, addTask, readDeliveries } from './support/webhooks.ts'
import { MINIMAL, importValid } from './support/world.ts'

const { pool, connection } = await createDatabase()
const watching = openPool(connection, 'check', () => undefined)
atEnd(() => watching.end())
await insertCompany(pool, 'co_1')
await plant(pool, 'events', 'co_1', 'ev_1')

describe('deliveries', () => {
  it('K1: an endpoint gets the changes of writes that waited for its creation', async () => {
    const client = await pool.connect()
    await client.query('BEGIN')
    await lockCompany(client, 'co_1')
    await insertEndpoint(client, 'co_1', {
      id: 'whe_1',
      url: 'https://192.0.9.1/',
      types: ['*'],
      description: null,
      secrets: [],
    })
    const writing = addTask(pool)
    await waitUntilBlocked(watching)
    await client.query('COMMIT')
    client.release()
    await writing
    expect(await readDeliveries(pool)).toMatchObject([{ number: 1, endpoint: 'whe_1', change: 1 }])
  })

  it('K1: an import is delivered', async () => {
    await insertCompany(pool, 'co_2')
    await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_2', types: ['data.*'] })
    await importValid(connection, [{ ...MINIMAL.lead, companyId: 'co_2' }])
    expect(await readDeliveries(pool, 'co_2')).toMatchObject([{ status: 'pending', change: 1 }])
  })
})

describe('resealSecrets', () => {
  it('K1: encrypts all secrets with the current application secret', async () => {
    await insertCompany(pool, 'co_4')
    const [old, rotated] = [createWebhookSecrets('first'), createWebhookSecrets('second', 'first')]
    const secret = newWebhookSecret()
    for (const id of ['whe_1', 'whe_2']) {
      const owner = { companyId: 'co_4', endpointId: id }
      const secrets = [
        { sealed: old.seal(owner, secret), until: null },
        { sealed: rotated.seal(owner, secret), until: '2030-01-01T00:00:00.000Z' },
        { sealed: 'lost', until: null },
      ]
      await insertEndpoint(pool, 'co_4', {
        id,
        url: 'https://192.0.9.1/',
        types: ['*'],
        description: null,
        secrets,
      })
    }
    await resealSecrets(pool, rotated)
    const { rows } = await pool.query<{ id: string; secrets: StoredSecret[] }>(
      `SELECT id, secrets FROM webhook_endpoints WHERE company_id = 'co_4' ORDER BY id`,
    )
    const { open } = createWebhookSecrets('second')
    for (const { id, secrets } of rows) {
      const opened = secrets.map(({ sealed }) => open({ companyId: 'co_4', endpointId: id }, sealed))
      expect(opened).toEqual([secret, secret, null])
      expect(secrets[1]?.until).toBe('2030-01-01T00:00:00.000Z')
    }
    expect(rows).toHaveLength(2)
  })
})
