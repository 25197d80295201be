/**
 * Webhook endpoints of the demo with deliveries, which are not part of the world format. The endpoints have no signing secret, so
 * nothing is ever sent to them; rotating the secret of one changes that.
 */
import { sql } from '../../db/sql.ts'
import { run } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'

const COMPANY = 'co_harborlight'

/** Several processes may do it at once. */
export async function addDemoWebhooks(db: Db): Promise<void> {
  await run(
    db,
    sql`INSERT INTO webhook_endpoints (company_id, id, url, types, description, secrets, created_at, updated_at) VALUES
      (${COMPANY}, 'whe_demo_1', 'https://crm.harborlight.example/webhooks', ARRAY['data.imported'], 'CRM', '[]',
        '2026-01-05T09:00:00Z', '2026-01-05T09:00:00Z'),
      (${COMPANY}, 'whe_demo_2', 'https://hooks.harborlight.example/old', ARRAY['invoice.*'], NULL, '[]',
        '2026-01-06T09:00:00Z', '2026-01-06T09:00:00Z')
      ON CONFLICT DO NOTHING`,
  )
  const attempts = [
    {
      at: '2026-01-05T09:30:00.000Z',
      status: 503,
      error: null,
      durationMs: 212,
      response: 'Try again later',
    },
    { at: '2026-01-05T09:30:05.310Z', status: 200, error: null, durationMs: 87, response: 'ok' },
  ]
  await run(
    db,
    sql`INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject, status, next_attempt_at,
        attempts)
      SELECT ${COMPANY}, n, 'whe_demo_1', 1, ${`company ${COMPANY}`}, 'delivered', NULL, ${JSON.stringify(attempts)}::jsonb
      FROM generate_series(1, 3) n ON CONFLICT DO NOTHING`,
  )
  await run(
    db,
    sql`UPDATE change_counters SET has_webhooks = true, last_delivery = greatest(last_delivery, 3), delivery_cursor = last_sequence
      WHERE company_id = ${COMPANY}`,
  )
}
