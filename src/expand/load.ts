/** Walks the tree of what was asked for: one statement per node, whatever the page holds; siblings side by side. */
import type { ExpandTree } from '../core/expand-paths.ts'
import type { Db } from '../db/connect.ts'
import type { Presentation } from '../objects/presentation.ts'
import { findObject } from './relations.ts'
import type { Relation } from './relation.ts'

interface Walk {
  db: Db
  companyId: string
  presentation: Presentation
}

/** The rows as public objects of the given name, with the related objects of the tree inside. */
export async function presentExpanded(
  walk: Walk,
  objectName: string,
  rows: readonly object[],
  tree: ExpandTree,
): Promise<Record<string, unknown>[]> {
  const { present, relations } = findObject(objectName)
  const presented = rows.map((row) => present(row as never, walk.presentation))
  const members = await Promise.all(
    Object.entries(tree).map(async ([name, subtree]) => {
      const relation = relations[name]
      if (relation === undefined) throw new Error(`${objectName} has no relation ${name}`)
      return { name, values: await loadMember(walk, relation, rows, subtree) }
    }),
  )
  for (const { name, values } of members) {
    for (const [i, object] of presented.entries()) object[name] = values[i]
  }
  return presented
}

/** For each parent, what the member holds. A row that several parents share is presented once. */
async function loadMember(
  walk: Walk,
  relation: Relation<never>,
  parents: readonly object[],
  subtree: ExpandTree,
): Promise<unknown[]> {
  const related = await relation.load(walk.db, walk.companyId, parents as never[])
  const distinct = [...new Set(related.flat())]
  const presented = await presentExpanded(walk, relation.to, distinct, subtree)
  const byRow = new Map(distinct.map((row, i) => [row, presented[i]]))
  return related.map((rows) => {
    const objects = rows.map((row) => byRow.get(row))
    return relation.many ? objects : (objects[0] ?? null)
  })
}
