/** The checks of an import that need more than one line, as the kinds declare them. */
import type { Db } from '../db/statement.ts'
import {
  findChanged,
  findOrphans,
  findOverfullOwners,
  findRepeated,
  findTaken,
  findWrongHashes,
} from '../db/world-checks.ts'
import type { Violation, Violations } from '../db/world-checks.ts'
import type { WorldTable } from '../db/world-table.ts'
import type { Field } from './fields.ts'
import { FINDINGS_SHOWN } from './import-findings.ts'
import type { Findings } from './import-findings.ts'
import type { Kind } from './kind.ts'
import { findKind, KINDS } from './kinds.ts'

export async function checkTogether(
  client: Db,
  staged: ReadonlyMap<WorldTable, number>,
  empty: ReadonlySet<WorldTable>,
  findings: Findings,
): Promise<void> {
  for (const kind of KINDS) {
    if (!staged.has(kind.table)) continue
    await checkDuplicates(client, kind, findings)
    await checkUnique(client, kind, findings)
    await checkOwners(client, kind, staged, findings)
    await checkNumbers(client, kind, empty.has(kind.table), findings)
    await checkDistinct(client, kind, findings)
    await checkFrozen(client, kind, findings)
  }
}

async function checkDuplicates(client: Db, { name, table }: Kind, findings: Findings): Promise<void> {
  const repeated = await findRepeated(client, table, table.key, FINDINGS_SHOWN)
  addViolations(findings, 'id', repeated, ({ detail }) => `is the id of another ${name}, on line ${detail}`)
}

async function checkUnique(client: Db, { table, unique }: Kind, findings: Findings): Promise<void> {
  if (unique === null) return
  const { column, field } = unique
  const repeated = await findRepeated(client, table, [column], FINDINGS_SHOWN)
  addViolations(findings, field, repeated, ({ detail }) => `is the same as on line ${detail}`)
  const taken = await findTaken(client, table, [column], FINDINGS_SHOWN)
  addViolations(findings, field, taken, () => 'belongs to another record in the database')
}

async function checkDistinct(client: Db, { table, distinct }: Kind, findings: Findings): Promise<void> {
  if (distinct === null) return
  const { columns, field } = distinct
  const repeated = await findRepeated(client, table, columns, FINDINGS_SHOWN)
  addViolations(findings, field, repeated, ({ detail }) => `is the same as on line ${detail}`)
  const taken = await findTaken(client, table, columns, FINDINGS_SHOWN)
  addViolations(findings, field, taken, () => 'belongs to another record in the database')
}

/** A record that must not change can be imported again as it is. */
async function checkFrozen(
  client: Db,
  { name, table, hash, frozen }: Kind,
  findings: Findings,
): Promise<void> {
  if (hash !== null) {
    const wrong = await findWrongHashes(client, table, hash, FINDINGS_SHOWN)
    addViolations(findings, hash.column, wrong, () => `is not the SHA-256 of ${hash.of}`)
  }
  if (frozen.length === 0) return
  const changed = await findChanged(client, table, frozen, FINDINGS_SHOWN)
  addViolations(
    findings,
    'id',
    changed,
    () => `is a stored ${name} with other values, which can never change`,
  )
}

/**
 * The company comes first, then the owner in it, if any. Where all of those are there, stored or in the file, their
 * companies are, or are missing for the owners as well, and reported with them.
 */
async function checkOwners(
  client: Db,
  { table, shape }: Kind,
  staged: ReadonlyMap<WorldTable, number>,
  findings: Findings,
): Promise<void> {
  const missing: (() => void)[] = []
  for (const field of shape.fields.filter(({ owner }) => owner === true).toReversed()) {
    const owner = ownerOf(field)
    const place = { table: owner.table, isStaged: staged.has(owner.table) }
    const orphans = await findOrphans(client, table, field.column, place, FINDINGS_SHOWN)
    if (orphans.count === 0) break
    missing.push(() =>
      addViolations(findings, field.name, orphans, ({ detail }) => {
        return `there is no ${owner.name} ${JSON.stringify(detail)} in the file or the database`
      }),
    )
  }
  for (const add of missing.toReversed()) add()
}

async function checkNumbers(
  client: Db,
  { name, table, shape, mostPerOwner }: Kind,
  isEmpty: boolean,
  findings: Findings,
): Promise<void> {
  const field = shape.fields.findLast(({ owner }) => owner === true)
  if (mostPerOwner === null || field === undefined) return
  const owner = ownerOf(field)
  const overfull = await findOverfullOwners(
    client,
    table,
    { column: field.column, most: mostPerOwner, isEmpty },
    FINDINGS_SHOWN,
  )
  addViolations(findings, field.name, overfull, ({ detail }) => {
    return `${owner.name} ${JSON.stringify(detail)} would have more than ${mostPerOwner} records of kind ${name}`
  })
}

function ownerOf(field: Field): Kind {
  const owner = findKind(field.references)
  if (owner === null) throw new Error(`${field.name} refers to no kind`)
  return owner
}

function addViolations(
  findings: Findings,
  field: string,
  { count, first }: Violations,
  explain: (violation: Violation) => string,
): void {
  findings.addMany(
    count,
    first.map((violation) => ({ line: violation.line, field, reason: explain(violation) })),
  )
}
