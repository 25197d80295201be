/** One line of a world into the rows that hold it, or into what is wrong with it. */
import type { WorldTable } from '../db/world-table.ts'
import { areDistinct } from './list-type.ts'
import { isAbsent, isJsonObject, storeObject, storeObjects } from './fields.ts'
import type { JsonObject } from './fields.ts'
import type { Children, Kind } from './kind.ts'
import { findKind } from './kinds.ts'

export type AddRow = (table: WorldTable, values: readonly (string | null)[]) => void
/** The field is null when it is about the line as a whole. */
export type ReportLine = (field: string | null, reason: string) => void

/**
 * A record with an invalid field is staged without that field. Nothing will be imported, but records that belong to it or have
 * its id are then checked correctly. A record without a valid id is not staged.
 */
export function readRecord(line: string, addRow: AddRow, report: ReportLine): void {
  const record = parseObject(line, report)
  if (record === null) return
  const kind = readKind(record['object'], report)
  if (kind === null) return
  const row = storeObject(kind.shape, record, '', report)
  checkExactlyOne(kind, record, report)
  // The first columns of a row are the id and, but for companies, the company.
  const isIdentified = row[0] !== null && (kind.table.key.length === 1 || row[1] !== null)
  if (isIdentified) addRow(kind.table, row)
  if (kind.children === null) return
  const { table, name } = kind.children
  const children = readChildren(kind.children, record[name], report)
  if (!isIdentified) return
  const [id = null, companyId = null] = row
  for (const [ordinal, child] of children.entries()) addRow(table, [companyId, id, String(ordinal), ...child])
}

/** The reason is our own: the parser's quotes the text, and with it perhaps an API key. */
function parseObject(line: string, report: ReportLine): JsonObject | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    report(
      null,
      `is not valid JSON${position === undefined ? '' : ` (at character ${Number(position) + 1})`}`,
    )
    return null
  }
  if (isJsonObject(value)) return value
  report(null, 'is not a JSON object')
  return null
}

function readKind(name: unknown, report: ReportLine): Kind | null {
  const kind = findKind(name)
  if (kind === null) report('object', isAbsent(name) ? 'is required' : 'is not the name of a kind')
  return kind
}

function checkExactlyOne({ exactlyOneOf }: Kind, record: JsonObject, report: ReportLine): void {
  const [first] = exactlyOneOf
  if (first === undefined) return
  const present = exactlyOneOf.filter((name) => !isAbsent(record[name]))
  if (present.length !== 1) report(first, `exactly one of ${exactlyOneOf.join(' and ')} must be given`)
}

function readChildren({ name, shape }: Children, value: unknown, report: ReportLine): (string | null)[][] {
  if (isAbsent(value)) return []
  const rows = storeObjects(shape, value, name, report)
  areDistinct(
    rows.map(([id = null]) => id),
    (index, first) => report(`${name}[${index}].id`, `is the same as ${name}[${first}].id`),
  )
  return rows
}
