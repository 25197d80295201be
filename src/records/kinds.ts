/** The kinds of records that people keep in the application, one line for each. */
import type { RecordPath } from '../core/record-kinds.ts'
import { CONTRACT_KIND } from './contract/kind.ts'
import { DISCOUNT_KIND } from './discount/kind.ts'
import { EVENT_TYPE_KIND } from './event-type/kind.ts'
import type { RecordKind } from './kind.ts'
import { LEAD_KIND } from './lead/kind.ts'
import { LOCATION_KIND } from './location/kind.ts'
import { PACKAGE_KIND } from './package/kind.ts'
import { PAYMENT_TERMS_KIND } from './payment-terms/kind.ts'
import { RESOURCE_KIND } from './resource/kind.ts'
import { SERVICE_CHARGE_KIND } from './service-charge/kind.ts'
import { ADDON_KIND, SERVICE_KIND } from './service/kind.ts'
import { STAFF_KIND } from './staff/kind.ts'
import { TAX_RATE_KIND } from './tax-rate/kind.ts'

export const RECORD_KINDS: readonly RecordKind[] = [
  LEAD_KIND,
  SERVICE_KIND,
  ADDON_KIND,
  PACKAGE_KIND,
  DISCOUNT_KIND,
  SERVICE_CHARGE_KIND,
  TAX_RATE_KIND,
  PAYMENT_TERMS_KIND,
  CONTRACT_KIND,
  EVENT_TYPE_KIND,
  LOCATION_KIND,
  RESOURCE_KIND,
  STAFF_KIND,
]

const BY_PATH: ReadonlyMap<RecordPath, RecordKind> = new Map(RECORD_KINDS.map((kind) => [kind.path, kind]))

export function kindOf(path: RecordPath): RecordKind {
  const kind = BY_PATH.get(path)
  if (kind === undefined) throw new Error(`there is no kind of record at ${path}`)
  return kind
}
