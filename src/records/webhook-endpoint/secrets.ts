/** The stored signing secrets of webhook endpoints. */
import type { WebhookSecrets } from '../../core/security/webhook-secret.ts'
import { sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { NEXT_UPDATE } from '../../codec/write.ts'
import type { StoredSecret } from './queries.ts'

const FIND_SECRETS = statement(sql`SELECT secrets FROM webhook_endpoints WHERE company_id = $1 AND id = $2`)

export async function findSecrets(db: Db, companyId: string, id: string): Promise<StoredSecret[] | null> {
  const [row] = await queryRows<{ secrets: StoredSecret[] }>(db, FIND_SECRETS, [companyId, id])
  return row?.secrets ?? null
}

const STORE_SECRETS = statement(sql`
  UPDATE webhook_endpoints SET secrets = $3, ${NEXT_UPDATE}
  WHERE company_id = $1 AND id = $2`)

export async function storeSecrets(
  db: Db,
  companyId: string,
  id: string,
  secrets: readonly StoredSecret[],
): Promise<void> {
  await queryRows(db, STORE_SECRETS, [companyId, id, JSON.stringify(secrets)])
}

const LIST_SECRETS = statement(sql`
  SELECT company_id AS "companyId", id AS "endpointId", secrets FROM webhook_endpoints
  WHERE (company_id, id) > ($1, $2) ORDER BY company_id, id LIMIT 500`)

interface SecretsRow {
  companyId: string
  endpointId: string
  secrets: StoredSecret[]
}

const REPLACE_SECRETS = statement(sql`
  UPDATE webhook_endpoints SET secrets = $3 WHERE company_id = $1 AND id = $2 AND secrets = $4`)

/** Encrypts all secrets with the current application secret, so that the previous one can be dropped. */
export async function resealSecrets(db: Db, { reseal }: WebhookSecrets): Promise<void> {
  let after: Pick<SecretsRow, 'companyId' | 'endpointId'> = { companyId: '', endpointId: '' }
  for (;;) {
    const rows = await queryRows<SecretsRow>(db, LIST_SECRETS, [after.companyId, after.endpointId])
    for (const { secrets, ...owner } of rows) {
      const sealed = secrets.map((secret) => ({
        ...secret,
        sealed: reseal(owner, secret.sealed) ?? secret.sealed,
      }))
      const [before, now] = [JSON.stringify(secrets), JSON.stringify(sealed)]
      if (now !== before)
        await queryRows(db, REPLACE_SECRETS, [owner.companyId, owner.endpointId, now, before])
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}
