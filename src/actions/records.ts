/** Creates, changes, archives and restores records of any kind. Records are never deleted. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { USERS } from '../core/callers.ts'
import { newId } from '../core/ids.ts'
import { RECORD_PATHS } from '../core/record-kinds.ts'
import type { RecordPath, RecordVerb } from '../core/record-kinds.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import { parsePercent } from '../core/pricing/money.ts'
import { findConditionError } from '../codec/body-schema.ts'
import { insertRow, updateRow } from '../codec/write.ts'
import type { RecordKind, RecordValues, StoredRecord } from '../records/kind.ts'
import { kindOf } from '../records/kinds.ts'
import {
  findRecord,
  isCompanyDefault,
  isRecordUsed,
  replaceCompanyDefault,
} from '../records/record/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { AmountCurrency, checkCurrency } from './amount-currency.ts'
import { auditRecord, describeChange } from './audit-record.ts'
import { insertLead } from './create-lead.ts'
import { checkReferences } from './references.ts'
import { changeLead } from './update-lead.ts'

/** The version that a change is based on. */
export const RecordVersion = z.iso.datetime('Send the updatedAt of the record you loaded.')

const RecordTarget = z.strictObject({ kind: z.enum(RECORD_PATHS), id: z.string(), updatedAt: RecordVersion })
type RecordTarget = z.output<typeof RecordTarget>

/** The schema of the values depends on the kind. */
const checkValuesBy =
  (name: 'NewValues' | 'Changes') =>
  ({ value: { kind, values }, issues }: z.core.ParsePayload<{ kind: RecordPath; values: RecordValues }>) => {
    for (const issue of kindOf(kind)[name].safeParse(values).error?.issues ?? [])
      issues.push({ code: 'custom', path: ['values', ...issue.path], message: issue.message, input: values })
  }

const Values = z.record(z.string(), z.unknown())
const NewRecord = z
  .strictObject({ kind: z.enum(RECORD_PATHS), values: Values, currency: AmountCurrency })
  .check(checkValuesBy('NewValues'))
const RecordChange = RecordTarget.extend({ values: Values, currency: AmountCurrency }).check(
  checkValuesBy('Changes'),
)

export interface ChangedRecord {
  record: StoredRecord
  /** The record that this one takes the place of, because quotes refer to it (N6). */
  replacedId: string | null
}

export const createRecord = defineAction({
  name: 'createRecord',
  allowed: USERS,
  input: NewRecord,
  lock: 'first',
  run: async (transaction, { kind: path, values, currency }) => {
    const kind = kindOf(path)
    await checkCurrency(transaction, currency)
    const checked = checkValues(kind, values, values)
    await checkReferences(transaction, checked, { path: 'values.' })
    return insertRecord(transaction, kind, checked)
  },
})

async function insertRecord(
  transaction: ActionTransaction,
  kind: RecordKind,
  values: RecordValues,
): Promise<StoredRecord> {
  const { db, companyId } = transaction
  if (kind.noun === null) return findExisting(transaction, kind, (await insertLead(transaction, values)).id)
  const id = newId(kind.idPrefix)
  await insertRow(db, kind.recordType, companyId, { ...values, id })
  const record = await findExisting(transaction, kind, id)
  auditRecord(transaction, kind, 'created', record)
  return record
}

export const updateRecord = defineAction({
  name: 'updateRecord',
  allowed: USERS,
  input: RecordChange,
  lock: 'first',
  run: async (transaction, { values, currency, ...target }): Promise<ChangedRecord> => {
    const { db, companyId } = transaction
    const kind = kindOf(target.kind)
    const before = await findVersion(transaction, target)
    if (before.archivedAt !== null)
      throw new ApiError('conflict', { message: `Restore the ${kind.label} before you edit it.` })
    await checkCurrency(transaction, currency)
    const changes = changedValues(kind, before, checkValues(kind, values, { ...before, ...values }))
    if (changes === null) return { record: before, replacedId: null }
    await checkReferences(transaction, changes, { stored: before, path: 'values.' })
    const isFixed = kind.fixed.some((name) => name in changes)
    if (isFixed && (await isRecordUsed(db, companyId, kind, before.id)))
      return { record: await replaceRecord(transaction, kind, before, changes), replacedId: before.id }
    await writeChanges(transaction, kind, before, changes, 'updated')
    return { record: await findExisting(transaction, kind, before.id), replacedId: null }
  },
})

/** Quotes keep the archived record with its values. New ones get the successor. */
async function replaceRecord(
  transaction: ActionTransaction,
  kind: RecordKind,
  before: StoredRecord,
  changes: RecordValues,
): Promise<StoredRecord> {
  const { db, companyId, presentation } = transaction
  await updateRow(db, kind.recordType, companyId, before.id, { archivedAt: presentation.now })
  const kept = kind.editable.map((name) => [name, name in changes ? changes[name] : before[name]])
  const successor = await insertRecord(transaction, kind, Object.fromEntries(kept) as RecordValues)
  const details = await describeChange(transaction, before, successor, Object.keys(changes))
  auditRecord(transaction, kind, 'replaced', before, { successorId: successor.id, ...details })
  await replaceCompanyDefault(db, companyId, kind, before.id, successor.id)
  return successor
}

export const archiveRecord = defineAction({
  name: 'archiveRecord',
  allowed: USERS,
  input: RecordTarget,
  lock: 'first',
  run: async (transaction, target) => setArchived(transaction, target, true),
})

export const restoreRecord = defineAction({
  name: 'restoreRecord',
  allowed: USERS,
  input: RecordTarget,
  lock: 'first',
  run: async (transaction, target) => setArchived(transaction, target, false),
})

async function setArchived(
  transaction: ActionTransaction,
  target: RecordTarget,
  isArchived: boolean,
): Promise<StoredRecord> {
  const kind = kindOf(target.kind)
  const before = await findVersion(transaction, target)
  if ((before.archivedAt !== null) === isArchived) return before
  if (isArchived) await checkNoDefault(transaction, kind, before.id)
  const changes = { archivedAt: isArchived ? transaction.presentation.now : null }
  await writeChanges(transaction, kind, before, changes, isArchived ? 'archived' : 'restored')
  return findExisting(transaction, kind, before.id)
}

/** New quotes would silently lose the tax rate, terms or contract. */
async function checkNoDefault({ db, companyId }: ActionTransaction, kind: RecordKind, id: string) {
  if (!(await isCompanyDefault(db, companyId, kind, id))) return
  throw new ApiError('conflict', {
    message: `New quotes get this ${kind.label}. Choose another default on the Company page first.`,
  })
}

async function writeChanges(
  transaction: ActionTransaction,
  kind: RecordKind,
  before: StoredRecord,
  changes: RecordValues,
  verb: RecordVerb,
): Promise<void> {
  const { db, companyId } = transaction
  const { id } = before
  if (kind.noun === null) {
    const data = verb === 'archived' || verb === 'restored' ? { archived: verb === 'archived' } : undefined
    await changeLead(transaction, { id, ...changes }, data)
    return
  }
  await updateRow(db, kind.recordType, companyId, id, changes)
  const after = await findExisting(transaction, kind, id)
  const details =
    verb === 'updated' ? await describeChange(transaction, before, after, Object.keys(changes)) : {}
  auditRecord(transaction, kind, verb, after, details)
}

/** The values that were sent, and null for those that no longer apply. `all` is the record after the write. */
function checkValues(
  { recordType: { columns }, editable, check }: RecordKind,
  values: RecordValues,
  all: RecordValues,
): RecordValues {
  const unneeded = editable.filter((name) => {
    const { exactlyWith } = columns[name]?.facts ?? {}
    return exactlyWith !== undefined && all[exactlyWith.field] !== exactlyWith.value && values[name] == null
  })
  const cleared = Object.fromEntries(unneeded.map((name) => [name, null]))
  const result = { ...values, ...cleared }
  const after = { ...all, ...cleared }
  const wrong = findConditionError(columns, after)
  const details: FieldErrors =
    wrong === null ? check(after) : { [`values.${wrong.name}`]: { _errors: [wrong.message] } }
  const [first] = Object.entries(details)
  if (first === undefined) return result
  const [field, { _errors }] = first
  throw new ApiError('invalid_body', {
    message: `${field.replace('values.', '')} ${_errors[0] ?? 'is invalid'}`,
    details,
  })
}

/** Null if nothing changes. Decimals are compared by value. */
function changedValues(
  { recordType: { columns }, editable }: RecordKind,
  before: StoredRecord,
  values: RecordValues,
): RecordValues | null {
  const isDecimal = (name: string) => columns[name]?.facts.type === 'percentage'
  const plain = (name: string, value: unknown) =>
    isDecimal(name) && typeof value === 'string' ? parsePercent(value) : value
  const changed = editable.filter(
    (name) =>
      values[name] !== undefined && !isDeepStrictEqual(plain(name, values[name]), plain(name, before[name])),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, values[name]]))
}

async function findExisting(
  { db, companyId }: ActionTransaction,
  kind: RecordKind,
  id: string,
): Promise<StoredRecord> {
  const record = await findRecord(db, companyId, kind, id)
  if (record === null) throw noRecord(kind)
  return record
}

async function findVersion(
  transaction: ActionTransaction,
  { kind: path, id, updatedAt }: RecordTarget,
): Promise<StoredRecord> {
  const kind = kindOf(path)
  const record = await findExisting(transaction, kind, id)
  if (record.updatedAt === updatedAt) return record
  const message = `Someone else changed this ${kind.label}. Your changes were not saved.`
  throw new ApiError('conflict', { message, details: { updatedAt: { _errors: [message] } } })
}

export function noRecord({ label }: RecordKind): ApiError {
  const message = `${label.charAt(0).toUpperCase()}${label.slice(1)} not found.`
  return new ApiError('not_found', { message, param: 'id' })
}
