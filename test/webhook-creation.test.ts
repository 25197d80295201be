/** Creation of deliveries, and encryption of stored secrets. */
import { describe, expect, it } from 'vitest'
import { runAction } from '../src/actions/action.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../src/actions/webhook-endpoints.ts'
import { followChanges } from '../src/changes/webhooks/follow.ts'
import { createWebhookSecrets, newWebhookSecret } from '../src/core/security/webhook-secret.ts'
import type { DbPool } from '../src/db/statement.ts'
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
import { addEndpoint, addTask, createDeliveries, readDeliveries } from './support/webhooks.ts'
import { MINIMAL, importValid } from './support/world.ts'

const { pool, connection } = await createDatabase()
const watching = openPool(connection, 'check', () => undefined)
atEnd(() => watching.end())
await insertCompany(pool, 'co_1')
await plant(pool, 'events', 'co_1', 'ev_1')

/** Adds companies with an endpoint and a change without a delivery. */
async function addCompaniesBehind(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await insertCompany(pool, id)
    await plant(pool, 'events', id, 'ev_1')
    await addEndpoint(pool, 'https://192.0.9.1/', { companyId: id })
    await addTask(pool, id)
  }
}

describe('deliveries', () => {
  it('K1: include changes of writes that waited for the creation of the endpoint', async () => {
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

  it('K1: follow the settings that endpoints had when the change was recorded', async () => {
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

  it('are created once for each of many changes by concurrent workers', async () => {
    await insertCompany(pool, 'co_5')
    await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_5' })
    await pool.query(
      `INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, data, previous, created_at)
       SELECT 'co_5', n, 'lead.updated', 'lead', 'lead_' || n % 7, 'system', '{}', '{}', now() FROM generate_series(1, 2500) n`,
    )
    await pool.query(`UPDATE change_counters SET last_sequence = 2500 WHERE company_id = 'co_5'`)
    await Promise.all([createDeliveries(pool), createDeliveries(pool), createDeliveries(watching)])
    const created = (await readDeliveries(pool, 'co_5')).map(({ number, change }) => [number, change])
    expect(created).toEqual(Array.from({ length: 2_500 }, (_, i) => [i + 1, i + 1]))
  })

  it('K1: of earlier changes do not depend on an import that changes endpoints', async () => {
    await insertCompany(pool, 'co_8')
    await plant(pool, 'events', 'co_8', 'ev_1')
    const changed = await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_8', types: ['task.*'] })
    await addTask(pool, 'co_8')
    const endpoint = { ...MINIMAL.webhookEndpoint, companyId: 'co_8', url: 'https://192.0.9.1/' }
    await importValid(connection, [
      { ...endpoint, id: changed.id, types: ['quote.*'] },
      { ...endpoint, id: 'whe_new', types: ['*'] },
    ])
    await addTask(pool, 'co_8')
    const deliveries = await readDeliveries(pool, 'co_8')
    expect(deliveries.map((one) => [one.endpoint, one.change])).toEqual([
      [changed.id, 1],
      ['whe_new', 2],
      ['whe_new', 3],
    ])
  })

  it('K1: include the change of an import', async () => {
    await insertCompany(pool, 'co_2')
    await addEndpoint(pool, 'https://192.0.9.1/', { companyId: 'co_2', types: ['data.*'] })
    await importValid(connection, [{ ...MINIMAL.lead, companyId: 'co_2' }])
    expect(await readDeliveries(pool, 'co_2')).toMatchObject([{ status: 'pending', change: 1 }])
  })
})

describe('companies', () => {
  it('K4: get deliveries while others are locked or fail', async () => {
    const ids = ['co_61', 'co_62', 'co_63', 'co_64', 'co_65', 'co_66', 'co_67']
    await addCompaniesBehind(ids)
    // A delivery with the next number exists, so the company fails.
    await pool.query(
      `INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject)
       VALUES ('co_62', 1, 'whe', 1, 'task')`,
    )
    const client = await pool.connect()
    await client.query('BEGIN')
    for (const id of ['co_61', 'co_63', 'co_65']) await lockCompany(client, id)
    const failed: unknown[] = []
    const log = { warn: (facts: object) => failed.push(facts) }
    let transactions = 0
    const counting = {
      options: pool.options,
      query: pool.query.bind(pool) as unknown as DbPool['query'],
      connect: async () => {
        transactions++
        return pool.connect()
      },
    }
    await followChanges({ pool: counting, log })
    const served = async () => {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT DISTINCT company_id AS id FROM webhook_deliveries WHERE company_id = ANY($1) AND endpoint_id <> 'whe' ORDER BY 1`,
        [ids],
      )
      return rows.map(({ id }) => id)
    }
    expect(await served()).toEqual(['co_64', 'co_66', 'co_67'])
    expect(failed).toMatchObject([{ company: 'co_62', err: { code: '23505' } }])
    // One attempt for each without waiting, and a second one for one of the locked companies.
    expect(transactions).toBe(8)
    await client.query('COMMIT')
    client.release()
    await followChanges({ pool, log })
    expect(await served()).toEqual(ids.filter((id) => id !== 'co_62'))
    await pool.query(`DELETE FROM webhook_deliveries WHERE company_id = 'co_62'`)
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
