/** Which changes become deliveries, and the encryption of stored secrets. */
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { followChanges } from '../src/changes/webhooks/follow.ts'
import { createWebhookSecrets, newWebhookSecret } from '../src/core/security/webhook-secret.ts'
import { lockCompany } from '../src/records/change/record.ts'
import { insertEndpoint } from '../src/records/webhook-endpoint/queries.ts'
import type { StoredSecret } from '../src/records/webhook-endpoint/queries.ts'
import { resealSecrets } from '../src/records/webhook-endpoint/secrets.ts'
import { openPool } from '../src/db/connect.ts'
import { contextOf } from './support/actions.ts'
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

  it('K1: changes go to the endpoints as they were when they were recorded', async () => {
    await insertCompany(pool, 'co_3')
    await plant(pool, 'events', 'co_3', 'ev_1')
    const add = () => addTask(pool, 'co_3')
    const kept = await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_3', types: ['task.*'] })
    const context = contextOf(pool, 'co_3')
    const set = (id: string, members: object) => runAction(context, updateWebhookEndpoint, { id, ...members })
    await add()
    const later = await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_3' })
    await add()
    await set(kept.id, { types: ['quote.*'] })
    await add()
    await set(later.id, { status: 'disabled' })
    await add()
    await set(later.id, { status: 'enabled' })
    await add()
    await runAction(context, deleteWebhookEndpoint, { id: later.id })
    await set(kept.id, { types: ['task.*'], status: 'disabled' })
    await add()
    await set(kept.id, { status: 'enabled' })
    await add()
    const deliveries = await readDeliveries(pool, 'co_3')
    expect(deliveries.map(({ endpoint, change }) => [endpoint, change])).toEqual([
      [kept.id, 1],
      [kept.id, 2],
      [kept.id, 7],
    ])
  })

  it('are created once for each change, by several workers at once, however many changes there are', async () => {
    await insertCompany(pool, 'co_5')
    const endpoint = await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_5' })
    await pool.query(
      `INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, data, previous, created_at)
       SELECT 'co_5', n, 'lead.updated', 'lead', 'lead_' || n % 7, 'system', '{}', '{}', now() FROM generate_series(1, 2500) n`,
    )
    await pool.query(`UPDATE change_counters SET last_sequence = 2500 WHERE company_id = 'co_5'`)
    // A process of a release whose writes created deliveries.
    await pool.query(
      `INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject)
       VALUES ('co_5', 1, $1, 1200, 'lead lead_3')`,
      [endpoint.id],
    )
    await pool.query(`UPDATE change_counters SET last_delivery = 1 WHERE company_id = 'co_5'`)
    await Promise.all([followChanges(pool), followChanges(pool), followChanges(watching)])
    const created = (await readDeliveries(pool, 'co_5')).map(({ change }) => change)
    const inOrder = Array.from({ length: 2_500 }, (_, i) => i + 1).filter((n) => n !== 1_200)
    expect(created).toEqual([1_200, ...inOrder])
  })

  it('of other companies do not wait for one that is locked', async () => {
    const client = await pool.connect()
    for (const id of ['co_6', 'co_7']) {
      await insertCompany(pool, id)
      await plant(pool, 'events', id, 'ev_1')
      await addEndpoint(pool, 'https://192.0.9.1/', { companyId: id })
      await addTask(pool, id)
    }
    await client.query('BEGIN')
    await lockCompany(client, 'co_6')
    await followChanges(pool)
    const count = async () =>
      (
        await pool.query('SELECT company_id FROM webhook_deliveries WHERE company_id = ANY($1)', [
          ['co_6', 'co_7'],
        ])
      ).rows
    expect(await count()).toEqual([{ company_id: 'co_7' }])
    await client.query('COMMIT')
    client.release()
    await followChanges(pool)
    expect(await count()).toHaveLength(2)
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
