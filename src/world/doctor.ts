/** Finds every reference to a missing record. Imports store them; reads treat them as absent. */
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import type { Db } from '../db/statement.ts'
import { readUnresolved } from '../db/world-read.ts'
import type { Reference } from '../db/world-read.ts'
import { beginSnapshot, rollback } from '../db/world-transaction.ts'
import type { WorldTable } from '../db/world-table.ts'
import type { Shape } from './fields.ts'
import { findKind, KINDS } from './kinds.ts'

/** A reference with the names of both kinds and its path. */
interface NamedReference extends Reference {
  kindName: string
  targetName: string
  describePath: (place: unknown) => string
}

const FETCH_ROWS = 1_000

/** Reports each in one line, from one snapshot, and returns their number. */
export async function diagnose(connection: Connection, report: (finding: string) => void): Promise<number> {
  return withDb(connection, async (client) => {
    await beginSnapshot(client)
    try {
      let count = 0
      for (const reference of listReferences()) count += await reportUnresolved(client, reference, report)
      return count
    } finally {
      await rollback(client)
    }
  })
}

async function reportUnresolved(
  client: Db,
  reference: NamedReference,
  report: (finding: string) => void,
): Promise<number> {
  const fetch = await readUnresolved(client, reference)
  let count = 0
  for (let rows = await fetch(FETCH_ROWS); rows.length > 0; rows = await fetch(FETCH_ROWS)) {
    for (const [companyId, id, place, value] of rows) report(describe(reference, companyId, id, place, value))
    count += rows.length
  }
  return count
}

function describe(
  { kindName, targetName, describePath }: NamedReference,
  ...[companyId, id, place, value]: unknown[]
): string {
  const [company, record, referred] = [companyId, id, value].map((one) => JSON.stringify(one))
  return `company ${company}, ${kindName} ${record}: ${describePath(place)} ${referred} resolves to no ${targetName}`
}

function* listReferences(): Generator<NamedReference> {
  for (const { name, table, shape, children } of KINDS) {
    yield* referencesOf(name, table, shape, { idColumn: 'id', ordinalColumn: null }, () => '')
    if (children === null) continue
    const { parentColumn: idColumn, ordinalColumn } = children
    const prefix = (place: unknown) => `${children.name}[${String(place)}].`
    yield* referencesOf(name, children.table, children.shape, { idColumn, ordinalColumn }, prefix)
  }
}

function* referencesOf(
  kindName: string,
  table: WorldTable,
  { fields }: Shape,
  { idColumn, ordinalColumn }: Pick<Reference, 'idColumn' | 'ordinalColumn'>,
  prefix: (place: unknown) => string,
): Generator<NamedReference> {
  for (const { name, column, type, references } of fields) {
    const isList = type.isList === true
    const own = { table, column, isList, idColumn, ordinalColumn, kindName }
    const target = findKind(references)
    if (target !== null) {
      const describePath = (place: unknown) => prefix(place) + (isList ? `${name}[${String(place)}]` : name)
      yield { ...own, member: null, target: target.table, targetName: target.name, describePath }
    }
    for (const item of type.items ?? []) {
      const found = findKind(item.references)
      if (found === null) continue
      const describePath = (place: unknown) =>
        isList ? `${name}[${String(place)}].${item.name}` : `${name}.${item.name}`
      yield { ...own, member: item.name, target: found.table, targetName: found.name, describePath }
    }
  }
}
