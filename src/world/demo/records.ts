/** The records of the world format as types, derived from the column tables. */
import type { Column, Columns } from '../../codec/column.ts'
import type { API_KEY_COLUMNS } from '../../records/api-key/columns.ts'
import type { BOOKING_COLUMNS } from '../../records/booking/columns.ts'
import type { COMPANY_COLUMNS } from '../../records/company/columns.ts'
import type { CONTRACT_COLUMNS } from '../../records/contract/columns.ts'
import type { DISCOUNT_COLUMNS } from '../../records/discount/columns.ts'
import type { EVENT_TYPE_COLUMNS } from '../../records/event-type/columns.ts'
import type { EVENT_COLUMNS } from '../../records/event/columns.ts'
import type { FORM_ANSWER_COLUMNS, FORM_RESPONSE_COLUMNS } from '../../records/form-response/columns.ts'
import type { FORM_COLUMNS, FORM_QUESTION_COLUMNS } from '../../records/form/columns.ts'
import type { INVOICE_COLUMNS } from '../../records/invoice/columns.ts'
import type { LEAD_COLUMNS } from '../../records/lead/columns.ts'
import type { LINE_ITEM_COLUMNS } from '../../records/line-item/columns.ts'
import type { LOCATION_COLUMNS } from '../../records/location/columns.ts'
import type { PACKAGE_COLUMNS } from '../../records/package/columns.ts'
import type { PAYMENT_TERMS_COLUMNS } from '../../records/payment-terms/columns.ts'
import type { QUOTE_COLUMNS } from '../../records/quote/columns.ts'
import type { RESOURCE_COLUMNS } from '../../records/resource/columns.ts'
import type { SERVICE_CHARGE_COLUMNS } from '../../records/service-charge/columns.ts'
import type { SERVICE_DAY_COLUMNS } from '../../records/service-day/columns.ts'
import type { ADDON_COLUMNS, SERVICE_COLUMNS } from '../../records/service/columns.ts'
import type { STAFF_COLUMNS } from '../../records/staff/columns.ts'
import type { TASK_COLUMNS } from '../../records/task/columns.ts'
import type { TAX_RATE_COLUMNS } from '../../records/tax-rate/columns.ts'
import type { USER_COLUMNS } from '../../records/user/columns.ts'

/** Numbers as the API shows them, everything else as in a row. Lists have no shown type. */
type Value<C extends Column> = [NonNullable<C['types']['shown']>] extends [never]
  ? ReadonlyList<NonNullable<C['types']['row']>>
  : NonNullable<C['types']['shown']> extends number
    ? number
    : NonNullable<C['types']['row']>

type ReadonlyList<T> = T extends (infer Item)[] ? readonly Item[] : T

/** Columns with a default that the generator omits. */
type Defaulted =
  | 'allowedIps'
  | 'allowedOrigins'
  | 'defaultServiceChargeIds'
  | 'invoiceDueDays'
  | 'optional'
  | 'options'
  | 'paymentsCents'
  | 'prices'
  | 'quoteValidDays'
  | 'selected'
  | 'serviceChargeIds'
  | 'unit'
  | `${'invoice' | 'quote'}Prefix`
  | `next${'Invoice' | 'Quote'}Number`
  | `${'base' | 'travel'}Fee${'Cents' | 'Taxable'}`

type OptionalName<Table extends Columns> = {
  [Name in keyof Table]: null extends Table[Name]['types']['row']
    ? Name
    : Name extends Defaulted
      ? Name
      : never
}[keyof Table]

type Fields<Table extends Columns> = {
  [Name in Exclude<keyof Table, OptionalName<Table>>]: Value<Table[Name]>
} & { [Name in OptionalName<Table>]?: Value<Table[Name]> }

type Of<Type extends { name: string; columns: Columns }> = Type extends unknown
  ? { object: Type['name'] } & Fields<Type['columns']>
  : never

export interface InvoiceLine {
  description: string
  quantity?: number
  amountCents: number
}

/** Members with a default can be left out. */
export interface PackageLine {
  kind: 'SERVICE' | 'ADDON'
  serviceId?: string
  addonId?: string
  optional?: boolean
  selected?: boolean
}

export type WorldRecord =
  | Of<
      | typeof ADDON_COLUMNS
      | typeof BOOKING_COLUMNS
      | typeof COMPANY_COLUMNS
      | typeof CONTRACT_COLUMNS
      | typeof DISCOUNT_COLUMNS
      | typeof EVENT_COLUMNS
      | typeof EVENT_TYPE_COLUMNS
      | typeof FORM_COLUMNS
      | typeof FORM_QUESTION_COLUMNS
      | typeof LEAD_COLUMNS
      | typeof LINE_ITEM_COLUMNS
      | typeof LOCATION_COLUMNS
      | typeof PAYMENT_TERMS_COLUMNS
      | typeof QUOTE_COLUMNS
      | typeof RESOURCE_COLUMNS
      | typeof SERVICE_CHARGE_COLUMNS
      | typeof SERVICE_COLUMNS
      | typeof SERVICE_DAY_COLUMNS
      | typeof STAFF_COLUMNS
      | typeof TASK_COLUMNS
      | typeof TAX_RATE_COLUMNS
      | typeof USER_COLUMNS
    >
  | (Omit<Of<typeof API_KEY_COLUMNS>, 'keyHash' | 'prefix'> & { key: string })
  | (Omit<Of<typeof INVOICE_COLUMNS>, 'lines'> & { lines: readonly InvoiceLine[] })
  | (Omit<Of<typeof PACKAGE_COLUMNS>, 'lines'> & { lines: readonly PackageLine[] })
  | (Of<typeof FORM_RESPONSE_COLUMNS> & {
      answers: readonly Fields<(typeof FORM_ANSWER_COLUMNS)['columns']>[]
    })

export type RecordOf<Kind extends WorldRecord['object']> = Extract<WorldRecord, { object: Kind }>

/** A record under construction: optional fields can be undefined. */
type Draft<R> = { [Field in keyof R]: R[Field] | (object extends Pick<R, Field> ? undefined : never) }

/** Removes undefined fields, which the format leaves out. */
export function present<R extends WorldRecord>(draft: Draft<R>): R
export function present(draft: Record<string, unknown>): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const field in draft) if (draft[field] !== undefined) record[field] = draft[field]
  return record
}
