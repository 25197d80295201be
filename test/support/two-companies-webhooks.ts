/** Webhook endpoints, with a sealed secret, and deliveries of the two companies. */
import type { Pool } from 'pg'
import { THEIRS } from './two-companies.ts'
import type { Company } from './two-companies.ts'
import { SECRETS } from './webhooks.ts'
import type { TestRecord } from './world.ts'
import { newWebhookSecret } from '../../src/core/security/webhook-secret.ts'

/** The ids of endpoints and deliveries */
export const WEBHOOK_RECORDS: TestRecord[] = [
  { object: 'webhookEndpoint', id: 'webhookEndpoint_1' },
  { object: 'webhookEndpoint', id: 'only_theirs_webhookEndpoint' },
  { object: 'webhookDelivery', id: 'whd_1' },
  { object: 'webhookDelivery', id: `whd_${THEIRS.number}` },
]

export async function plantWebhooks(pool: Pool, company: Company): Promise<void> {
  const isTheirs = company === THEIRS
  const ids = isTheirs ? ['webhookEndpoint_1', 'only_theirs_webhookEndpoint'] : ['webhookEndpoint_1']
  const time = `${company.year}-06-01T10:00:00Z`
  for (const id of ids) {
    const sealed = SECRETS.seal({ companyId: company.id, endpointId: id }, newWebhookSecret())
    await pool.query(
      `INSERT INTO webhook_endpoints (company_id, id, url, types, description, secrets, created_at, updated_at)
       VALUES ($1, $2, $3, '{task.*}', $4, $5, $6, $6)`,
      [
        company.id,
        id,
        `https://192.0.9.1/${company.mark}`,
        `${company.mark} description`,
        JSON.stringify([{ sealed, until: null }]),
        time,
      ],
    )
  }
  const attempts = [
    { at: time, status: null, error: `${company.mark} error`, durationMs: company.number, response: '' },
  ]
  for (const number of isTheirs ? [1, THEIRS.number] : [1]) {
    await pool.query(
      `INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject, status,
         next_attempt_at, attempts) VALUES ($1, $2, 'webhookEndpoint_1', 1, 'company', 'failed', NULL, $3)`,
      [company.id, number, JSON.stringify(attempts)],
    )
  }
  await pool.query(
    `INSERT INTO change_counters AS c (company_id, has_webhooks, last_delivery) VALUES ($1, true, $2)
     ON CONFLICT (company_id) DO UPDATE
       SET has_webhooks = true, last_delivery = $2, delivery_cursor = c.last_sequence`,
    [company.id, isTheirs ? THEIRS.number : 1],
  )
}
