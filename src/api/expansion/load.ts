/** Walks the tree of what was asked for: one statement per node, whatever the page holds. */
import type { ExpandTree } from '../../core/requests/expand-paths.ts'
import { Member, memberKey, refuseBeyondMax } from '../../codec/json.ts'
import type { Json } from '../../codec/json.ts'
import { createLimiter } from '../../core/requests/limiter.ts'
import type { Limiter } from '../../core/requests/limiter.ts'
import type { Db } from '../../db/connect.ts'
import type { Presentation } from '../../codec/presentation.ts'
import { findObject } from './relations.ts'
import type { Relation } from './relation.ts'

interface Asked {
  db: Db
  companyId: string
  presentation: Presentation
}

interface Walk extends Asked {
  limitStatements: Limiter
}

/** Per request. With a dozen, a few requests would keep all others from the database for seconds. */
const STATEMENTS_AT_ONCE = 2

/** The rows as public objects of the given name, with the related objects of the tree inside. */
export async function presentExpanded(
  asked: Asked,
  objectName: string,
  rows: readonly object[],
  tree: ExpandTree,
): Promise<Json[]> {
  return presentTree({ ...asked, limitStatements: createLimiter(STATEMENTS_AT_ONCE) }, objectName, rows, tree)
}

async function presentTree(
  walk: Walk,
  objectName: string,
  rows: readonly object[],
  tree: ExpandTree,
): Promise<Json[]> {
  const { object, relations } = findObject(objectName)
  const inside = { bytes: 0 }
  const members = await Promise.all(
    Object.entries(tree).map(async ([name, subtree]) => {
      const relation = relations[name]
      if (relation === undefined) throw new Error(`${objectName} has no relation ${name}`)
      return loadMember(walk, { name, relation, subtree }, rows, inside)
    }),
  )
  return rows.map((row, i) =>
    object.write(row as never, walk.presentation, members.length === 0 ? undefined : pick(members, i)),
  )
}

/** Of each list what is at this place. */
function pick<Item>(lists: readonly (readonly Item[])[], place: number): Item[] {
  return lists.map((list) => list[place] ?? missing(place))
}

function missing(place: number): never {
  throw new Error(`there is nothing at place ${place}`)
}

interface AskedMember {
  name: string
  relation: Relation<never>
  subtree: ExpandTree
}

/**
 * The member of each parent. A row that several parents share is presented once. All that the members of the parents
 * hold is a part of the answer, so it is counted, over all of them, before more is read.
 */
async function loadMember(
  walk: Walk,
  { name, relation, subtree }: AskedMember,
  parents: readonly object[],
  inside: { bytes: number },
): Promise<Member[]> {
  const related = await walk.limitStatements(() => relation.load(walk.db, walk.companyId, parents as never[]))
  const objects = await presentTree(walk, relation.to, related.rows, subtree)
  const key = memberKey(name)
  return related.places.map((places) => {
    const values = places.map((place) => objects[place] ?? missing(place))
    const member = new Member(key, relation.many ? values : (values[0] ?? null))
    inside.bytes += member.bytes
    refuseBeyondMax(inside.bytes, 'expand')
    return member
  })
}
