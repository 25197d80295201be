/** The calls of every kind of record: list, page, create, edit, archive, restore and CSV. */
import { z } from 'zod'
import { RECORD_SORTS } from '../core/record-kinds.ts'
import { isCurrencyCode } from '../core/pricing/currencies.ts'
import { runAction } from '../actions/action.ts'
import { AmountCurrency } from '../actions/amount-currency.ts'
import {
  RecordVersion,
  archiveRecord,
  createRecord,
  noRecord,
  restoreRecord,
  updateRecord,
} from '../actions/records.ts'
import type { ChangedRecord } from '../actions/records.ts'
import { findCurrency } from '../records/company/queries.ts'
import type { RecordKind, StoredRecord } from '../records/kind.ts'
import { RECORD_KINDS } from '../records/kinds.ts'
import { listCurrencies } from '../records/record/prices.ts'
import { findRecord, isRecordUsed, listRecords, readRecords } from '../records/record/queries.ts'
import type { RecordQuery } from '../records/record/queries.ts'
import { csvTexts } from './record-csv.ts'
import { CsvFile, consoleRoute } from './route.ts'
import type { ConsoleRoute } from './route.ts'

export type { StoredRecord } from '../records/kind.ts'

export interface RecordListAnswer {
  records: StoredRecord[]
  hasMore: boolean
}

export interface RecordAnswer {
  record: StoredRecord
  /** Whether quotes refer to it, so that its values cannot change. */
  isUsed: boolean
}

export type RecordChangeAnswer = ChangedRecord

const PAGE_SIZE = 25
const SEARCH_MAX = 200
/** Packages and contracts are the longest: 200 lines, each with a description. */
const BODY_MAX_BYTES = 512 * 1024

const listInput = ({ filters }: RecordKind) =>
  z.strictObject({
    search: z.string().max(SEARCH_MAX, `Search for at most ${SEARCH_MAX} characters.`).optional(),
    sort: z.enum(RECORD_SORTS).default('newest'),
    archived: z.enum(['yes', 'no']).default('no'),
    after: z.string().optional(),
    ...Object.fromEntries(filters.map((name) => [name, z.string().max(1_000).optional()])),
  })

type ListInput = z.output<ReturnType<typeof listInput>>

function queryOf({ filters }: RecordKind, input: ListInput): RecordQuery {
  const { search, sort, archived } = input
  const sent = Object.entries(input).filter(
    (entry): entry is [string, string] => filters.includes(entry[0]) && typeof entry[1] === 'string',
  )
  return { search, sort, isArchived: archived === 'yes', filters: Object.fromEntries(sent) }
}

function routesOf(kind: RecordKind): ConsoleRoute[] {
  return [...readRoutes(kind), ...writeRoutes(kind)]
}

function readRoutes(kind: RecordKind): ConsoleRoute[] {
  const base = `/console/${kind.path}` as const
  return [
    consoleRoute({
      method: 'GET',
      path: base,
      input: listInput(kind),
      answer: ({ reports, companyId, input }): Promise<RecordListAnswer> =>
        listRecords(reports, companyId, kind, queryOf(kind, input), {
          limit: PAGE_SIZE,
          startingAfter: input.after,
        }),
    }),
    consoleRoute({
      method: 'GET',
      path: `${base}/export`,
      input: listInput(kind),
      answer: async ({ reports, companyId, input }) => {
        const hasPrices = kind.editable.includes('prices')
        const priced = hasPrices ? await listCurrencies(reports, companyId, kind) : []
        const company = await findCurrency(reports, companyId)
        const pages = readRecords(reports, companyId, kind, queryOf(kind, input))
        return new CsvFile(
          `${kind.path}.csv`,
          csvTexts(kind, { company, prices: priced.filter(isCurrencyCode) }, pages),
        )
      },
    }),
    consoleRoute({
      method: 'GET',
      path: `${base}/:id`,
      answer: async ({ db, companyId, id }): Promise<RecordAnswer> => {
        const record = await findRecord(db, companyId, kind, id)
        if (record === null) throw noRecord(kind)
        return { record, isUsed: await isRecordUsed(db, companyId, kind, id) }
      },
    }),
  ]
}

function writeRoutes(kind: RecordKind): ConsoleRoute[] {
  const base = `/console/${kind.path}` as const
  const change = (verb: 'archive' | 'restore', action: typeof archiveRecord) =>
    consoleRoute({
      method: 'POST',
      path: `${base}/:id/${verb}`,
      input: z.strictObject({ updatedAt: RecordVersion }),
      answer: async ({ action: context, id, input }): Promise<RecordChangeAnswer> => {
        const record = await runAction(context, action, { kind: kind.path, id, ...input })
        return { record, replacedId: null }
      },
    })
  return [
    consoleRoute({
      method: 'POST',
      path: base,
      isCreation: true,
      bodyMaxBytes: BODY_MAX_BYTES,
      input: z.strictObject({ values: kind.NewValues, currency: AmountCurrency }),
      answer: async ({ action, input }): Promise<RecordChangeAnswer> => {
        const record = await runAction(action, createRecord, { kind: kind.path, ...input })
        return { record, replacedId: null }
      },
    }),
    consoleRoute({
      method: 'PATCH',
      path: `${base}/:id`,
      bodyMaxBytes: BODY_MAX_BYTES,
      input: z.strictObject({ updatedAt: RecordVersion, values: kind.Changes, currency: AmountCurrency }),
      answer: ({ action, id, input }): Promise<RecordChangeAnswer> =>
        runAction(action, updateRecord, { kind: kind.path, id, ...input }),
    }),
    change('archive', archiveRecord),
    change('restore', restoreRecord),
  ]
}

export const recordRoutes: readonly ConsoleRoute[] = RECORD_KINDS.flatMap(routesOf)
