/** `quoting doctor` on webhooks. */
import { describe, expect, it } from 'vitest'
import { checkDerived, repairDerived } from '../src/world/derived.ts'
import { createDatabase } from './support/database.ts'
import { plant } from './support/quotes.ts'
import { insertCompany } from './support/records.ts'
import { addEndpoint, addTask, createDeliveries, readDeliveries } from './support/webhooks.ts'

describe('doctor', () => {
  it('K1: finds and repairs pending deliveries of a disabled endpoint', async () => {
    const { pool, connection } = await createDatabase()
    await insertCompany(pool, 'co_1')
    await plant(pool, 'events', 'co_1', 'ev_1')
    await addEndpoint(pool, 'https://192.0.9.1/')
    await addTask(pool)
    await createDeliveries(pool)
    await pool.query(`UPDATE webhook_endpoints SET status = 'disabled'`)
    await pool.query('UPDATE change_counters SET has_webhooks = false')
    const findings: string[] = []
    await checkDerived(connection, (finding) => findings.push(finding))
    expect(findings).toEqual(['company "co_1", 1 pending deliveries of disabled webhook endpoints'])
    expect(await repairDerived(connection)).toBe(1)
    expect(await readDeliveries(pool)).toMatchObject([{ number: 1, status: 'failed', wait: null }])
  })

  it('finds and repairs deliveries that are never due, and endpoints without deliveries', async () => {
    const { pool, connection } = await createDatabase()
    await insertCompany(pool, 'co_1')
    await plant(pool, 'events', 'co_1', 'ev_1')
    await addEndpoint(pool, 'https://192.0.9.1/')
    const gone = await addEndpoint(pool, 'https://192.0.9.1/')
    await addTask(pool)
    await createDeliveries(pool)
    const find = async () => {
      const findings: string[] = []
      await checkDerived(connection, (finding) => findings.push(finding))
      return findings
    }
    expect(await find()).toEqual([])
    await pool.query(`UPDATE webhook_deliveries SET next_attempt_at = 'infinity'`)
    await pool.query('DELETE FROM webhook_endpoints WHERE id = $1', [gone.id])
    await pool.query('UPDATE change_counters SET has_webhooks = false')
    expect(await find()).toEqual([
      'company "co_1", 1 deliveries whose endpoint is gone',
      'company "co_1", 2 deliveries that wait for no other',
      'company "co_1", 1 webhook endpoints whose company is not followed',
    ])
    expect(await repairDerived(connection)).toBe(3)
    expect(await find()).toEqual([])
    expect(await readDeliveries(pool)).toMatchObject([{ number: 1, status: 'pending' }])
    await addTask(pool)
    expect(await readDeliveries(pool)).toHaveLength(2)
  })
})
