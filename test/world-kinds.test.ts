import { describe, expect, it } from 'vitest'
import type { WorldTable } from '../src/db/world-table.ts'
import * as types from '../src/world/field-types.ts'
import type { FieldType } from '../src/world/field-types.ts'
import type { Shape } from '../src/world/fields.ts'
import { KINDS } from '../src/world/kinds.ts'
import { createDatabase } from './support/database.ts'

const { pool } = await createDatabase()

/** Tables that are not part of the world: derived or operational data. */
const NO_RECORDS = [
  'api_key_uses',
  'audit_entries',
  'change_counters',
  'changes',
  'event_assignments',
  'form_limits',
  'idempotency_records',
  'invitations',
  'mail_secrets',
  'mails',
  'password_resets',
  'quote_questions',
  'quote_stretches',
  'request_log',
  'schema_migrations',
  'sessions',
  'setup_links',
  'sign_in_failures',
  'webhook_deliveries',
]
/** Columns that are derived from other records, and the prefix of a key, which cannot be derived from its hash. */
const DERIVED = [
  'failing_since',
  'first_start_time',
  'last_start_time',
  'lease_owner',
  'lease_until',
  'replay_cursor',
  'name_order',
  'payments_cents',
  'prefix',
  'search',
]

/** Columns that were added to large tables. A domain has a check, and adding a column with a check rewrites the table. */
const WITHOUT_DOMAIN: Record<string, string> = {
  'bookings.accepted_revision_id': 'text',
  'invoices.tax_cents': 'bigint',
  'invoices.discount_cents': 'bigint',
  'invoices.deducted_cents': 'bigint',
}

/** Column types of fields without a list of values or a specific shape. */
const COLUMN_TYPES = new Map<FieldType, string>([
  [types.text, 'text'],
  [types.filledText, 'required_text'],
  [types.timeZone, 'required_text'],
  [types.country, 'text'],
  [types.locale, 'text'],
  [types.color, 'text'],
  [types.logo, 'text'],
  [types.revisionContent, 'required_text'],
  [types.id, 'record_id'],
  [types.boolean, 'boolean'],
  [types.integer, 'whole_number'],
  [types.money, 'cents'],
  [types.percentage, 'percentage'],
  [types.quantity, 'quantity'],
  [types.time, 'timestamp(3) with time zone'],
  [types.currency, 'currency_code'],
  [types.apiKeyHash, 'text'],
  [types.apiKey, 'text'],
  [types.passwordHash, 'required_text'],
  [types.networkList, 'text[]'],
  [types.endpointUrl, 'required_text'],
  [types.endpointTypes, 'text[]'],
  [types.slug, 'text'],
  [types.idList, 'text[]'],
])

/** Every table with its shape, and the columns that are not in it. */
const TABLES: { table: WorldTable; shape: Shape; added: Record<string, string> }[] = []
for (const { table, shape, children } of KINDS) {
  TABLES.push({ table, shape, added: {} })
  if (children === null) continue
  const { parentColumn, ordinalColumn } = children
  const added = { company_id: 'text', [parentColumn]: 'record_id', [ordinalColumn]: 'whole_number' }
  TABLES.push({ table: children.table, shape: children.shape, added })
}

describe('KINDS', () => {
  it('has the kinds of the world format in order, owners first', () => {
    expect(KINDS.map((kind) => kind.name).join(' ')).toBe(
      'company apiKey user lead location eventType service addon package discount taxRate paymentTerms serviceCharge contract ' +
        'quote serviceDay lineItem quoteRevision acceptance booking event resource staff invoice payment form formQuestion formResponse task webhookEndpoint',
    )
    const names = KINDS.map((kind) => kind.name)
    for (const [index, kind] of KINDS.entries()) {
      const owners = kind.shape.fields.filter((field) => field.owner).map((field) => field.references)
      expect(names.slice(0, index)).toEqual(expect.arrayContaining(owners))
    }
  })

  it('refers to existing kinds', () => {
    const names = KINDS.map((kind) => kind.name)
    const references = TABLES.flatMap(({ shape }) => shape.fields.flatMap((field) => field.references ?? []))
    expect(references).toHaveLength(27 + 43)
    expect(names).toEqual(expect.arrayContaining(references))
  })

  it('covers every table of the database that is part of the world', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    )
    const tables = [...TABLES.map(({ table }) => table.name), ...NO_RECORDS]
    expect(rows.map((row) => row.name).toSorted()).toEqual(tables.toSorted())
  })

  it.each(TABLES)('matches the columns of $table.name', async ({ table, shape, added }) => {
    const { rows } = await pool.query<{
      name: string
      type: string
      required: boolean
      default: string | null
    }>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS required,
         pg_get_expr(adbin, adrelid) AS default
       FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL($2)`,
      [table.name, DERIVED],
    )
    const expected = new Map(
      Object.entries(added).map(([name, type]) => [
        name,
        { name, type, required: true, default: null as string | null },
      ]),
    )
    for (const field of shape.fields) {
      const { column: name, type, references } = field
      const isRequired = field.required ?? field.default !== undefined
      expected.set(name, {
        name,
        // The checks of webhook endpoints are in the application only.
        type:
          references === 'company' || (table.name === 'webhook_endpoints' && /^(id|url)$/.test(name))
            ? 'text'
            : (WITHOUT_DOMAIN[`${table.name}.${name}`] ?? columnType(type)),
        // A key is required, as plain text or as a hash.
        required: isRequired || field.keptWhenAbsent === true || name === 'key_hash',
        default: field.keptWhenAbsent ? 'now()' : (shape.blank[shape.columns.indexOf(name)] ?? null),
      })
    }
    const found = rows.map((row) => ({ ...row, default: row.default?.replace(/^'(.*)'::.*$/, '$1') ?? null }))
    expect(found.toSorted(byName)).toEqual([...expected.values()].toSorted(byName))
    expect([...table.columns].toSorted()).toEqual(rows.map((row) => row.name).toSorted())
  })

  it.each(TABLES)('allows the same values as $table.name', async ({ table, shape }) => {
    const { rows } = await pool.query<{ check: string }>(
      `SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
      [table.name],
    )
    const allowed = rows.flatMap(({ check }) => {
      const [, column, values] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check) ?? []
      return column === undefined
        ? []
        : [[column, [...(values ?? '').matchAll(/'(\w+)'/g)].map((match) => match[1])]]
    })
    const known = shape.fields.flatMap(({ column, type }) => (type.values ? [[column, type.values]] : []))
    expect(Object.fromEntries(allowed)).toEqual(Object.fromEntries(known))
  })

  it.each(TABLES)('matches the keys of $table.name', async ({ table, shape }) => {
    const { rows } = await pool.query<{ type: string; columns: string[]; target: string | null }>(
      `SELECT contype AS type, confrelid::regclass::text AS target, (
         SELECT array_agg(attname::text ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS k (number, place)
         JOIN pg_attribute ON attrelid = conrelid AND attnum = number) AS columns
       FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'f')`,
      [table.name],
    )
    expect(rows.find((row) => row.type === 'p')?.columns).toEqual(table.key)
    // The company is checked through the other owner if there is one.
    const owners = shape.fields.filter((field) => field.owner)
    const owner = owners.find((field) => field.references !== 'company') ?? owners[0]
    if (owner === undefined) return
    const target = KINDS.find((kind) => kind.name === owner.references)?.table.name
    const columns = [...new Set(['company_id', owner.column])]
    expect(rows.filter((row) => row.type === 'f')).toEqual([{ type: 'f', columns, target }])
  })
})

function columnType(type: FieldType): string {
  if (type.values !== undefined) return 'text'
  const known = COLUMN_TYPES.get(type)
  if (known !== undefined) return known
  if (type.items !== undefined) return 'jsonb'
  // An integer with a maximum.
  if (!type.isList) return 'whole_number'
  return type.store([], '', () => undefined) === '{}' ? 'text[]' : 'jsonb'
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}
