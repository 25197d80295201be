/** Walks the tree of what was asked for: one statement per node, whatever the page holds. */
import type { ExpandTree } from '../core/expand-paths.ts'
import { NULL, jsonArray, refuseBeyondMax, toJson, withMembers } from '../core/json.ts'
import type { Json } from '../core/json.ts'
import { createTurns } from '../core/turns.ts'
import type { Turns } from '../core/turns.ts'
import type { Db } from '../db/connect.ts'
import type { Presentation } from '../objects/presentation.ts'
import { findObject } from './relations.ts'
import type { Relation } from './relation.ts'

interface Asked {
  db: Db
  companyId: string
  presentation: Presentation
}

interface Walk extends Asked {
  inTurn: Turns
}

/** Of one request: a dozen siblings of a few requests would keep all others from the database for long. */
const STATEMENTS_AT_ONCE = 2

/** The rows as public objects of the given name, with the related objects of the tree inside. */
export async function presentExpanded(
  asked: Asked,
  objectName: string,
  rows: readonly object[],
  tree: ExpandTree,
): Promise<Json[]> {
  return presentTree({ ...asked, inTurn: createTurns(STATEMENTS_AT_ONCE) }, objectName, rows, tree)
}

async function presentTree(
  walk: Walk,
  objectName: string,
  rows: readonly object[],
  tree: ExpandTree,
): Promise<Json[]> {
  const { present, relations } = findObject(objectName)
  const inside = { bytes: 0 }
  const members = await Promise.all(
    Object.entries(tree).map(async ([name, subtree]) => {
      const relation = relations[name]
      if (relation === undefined) throw new Error(`${objectName} has no relation ${name}`)
      return { name, values: await loadMember(walk, relation, rows, subtree, inside) }
    }),
  )
  return rows.map((row, i) =>
    withMembers(
      toJson(present(row as never, walk.presentation)),
      members.map(({ name, values }) => [name, values[i] ?? NULL]),
    ),
  )
}

/**
 * For each parent, what the member holds. A row that several parents share is presented once. All that the members of
 * the parents hold is a part of the answer, so it is counted, over all of them, before any of it is put together.
 */
async function loadMember(
  walk: Walk,
  relation: Relation<never>,
  parents: readonly object[],
  subtree: ExpandTree,
  inside: { bytes: number },
): Promise<Json[]> {
  const related = await walk.inTurn(() => relation.load(walk.db, walk.companyId, parents as never[]))
  const distinct = [...new Set(related.flat())]
  const presented = await presentTree(walk, relation.to, distinct, subtree)
  const byRow = new Map(distinct.map((row, i) => [row, presented[i] ?? NULL]))
  const objectsOf = related.map((rows) => rows.map((row) => byRow.get(row) ?? NULL))
  for (const objects of objectsOf) for (const { length } of objects) inside.bytes += length
  refuseBeyondMax(inside.bytes, 'expand')
  return objectsOf.map((objects) => (relation.many ? jsonArray(objects) : (objects[0] ?? NULL)))
}
