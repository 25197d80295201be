/** Walks the tree of requested relations: one statement per node, for any number of rows. */
import { Json, Member, memberKey, refuseBeyondMax } from '../../codec/json.ts'
import type { Packed } from '../../codec/packed-row.ts'
import type { Presentation } from '../../codec/presentation.ts'
import type { PublicObject } from '../../codec/public-object.ts'
import type { ExpandTree } from '../../core/requests/expand-paths.ts'
import { createLimiter } from '../../core/requests/limiter.ts'
import type { Limiter } from '../../core/requests/limiter.ts'
import type { Db } from '../../db/statement.ts'
import { findObject } from './relations.ts'
import type { Expanded, ObjectName } from './relations.ts'
import type { Relation } from './relation.ts'

interface Context {
  db: Db
  companyId: string
  presentation: Presentation
  /** How many statements run at the same time; 1 in a transaction. */
  statementsAtOnce?: number
}

/** Per request. With a dozen, a few requests would keep all others from the database for seconds. */
const STATEMENTS_AT_ONCE = 2

type AnyRow = Packed<unknown, unknown>
type AnyObject = PublicObject<unknown, unknown, object>

/** How an object and its related objects are combined. */
interface Output<Result, Inside> {
  /** Creates the members of all objects on one level of the tree: of a relation, from the related objects. */
  startLevel: () => (relation: string) => (value: Result | readonly Result[] | null) => Inside
  present: (object: AnyObject, row: AnyRow, presentation: Presentation, inside: readonly Inside[]) => Result
}

/** As JSON, for the API. It counts the bytes on each level, to refuse a response that is too large before reading more. */
const JSON_OUTPUT: Output<Json, Member> = {
  startLevel: () => {
    let bytes = 0
    return (relation) => {
      const key = memberKey(relation)
      return (value) => {
        const member = new Member(key, value)
        bytes += member.bytes
        refuseBeyondMax(bytes, 'expand')
        return member
      }
    }
  },
  present: (object, row, presentation, inside) =>
    object.write(row, presentation, inside.length === 0 ? undefined : inside),
}

/** As plain objects, for the application. */
const OBJECT_OUTPUT: Output<object, readonly [string, unknown]> = {
  startLevel: () => (relation) => (value) => [relation, value],
  present: (object, row, presentation, inside) =>
    Object.assign(object.present(row, presentation), Object.fromEntries(inside)),
}

/** The rows as JSON of public objects, with the related objects of the tree. */
export async function presentJson(
  context: Context,
  name: ObjectName,
  rows: readonly AnyRow[],
  tree: ExpandTree,
): Promise<Json[]> {
  return presentTree(walkOf(context, JSON_OUTPUT), name, rows, tree)
}

/** The same as plain objects. */
export async function presentObjects<Name extends ObjectName, const Asked extends ExpandTree>(
  context: Context,
  name: Name,
  rows: readonly AnyRow[],
  tree: Asked,
): Promise<Expanded<Name, Asked>[]> {
  const objects = await presentTree(walkOf(context, OBJECT_OUTPUT), name, rows, tree)
  return objects as Expanded<Name, Asked>[]
}

interface Walk<Result, Inside> extends Context {
  output: Output<Result, Inside>
  limitStatements: Limiter
}

function walkOf<Result, Inside>(context: Context, output: Output<Result, Inside>): Walk<Result, Inside> {
  const { statementsAtOnce = STATEMENTS_AT_ONCE } = context
  return { ...context, output, limitStatements: createLimiter(statementsAtOnce) }
}

async function presentTree<Result, Inside>(
  walk: Walk<Result, Inside>,
  name: ObjectName,
  rows: readonly AnyRow[],
  tree: ExpandTree,
): Promise<Result[]> {
  const { output, presentation } = walk
  const { object, relations } = findObject(name)
  const memberOf = output.startLevel()
  const lists = await Promise.all(
    Object.entries(tree).map(async ([member, subtree]) => {
      const relation = relations[member]
      if (relation === undefined) throw new Error(`${name} has no relation ${member}`)
      return loadMembers(walk, relation, subtree, rows, memberOf(member))
    }),
  )
  return rows.map((row, i) => output.present(object, row, presentation, at(lists, i)))
}

/** The element at this index of each list. */
function at<Item>(lists: readonly (readonly Item[])[], index: number): Item[] {
  return lists.map((list) => list[index] ?? missing(index))
}

function missing(index: number): never {
  throw new Error(`there is nothing at index ${index}`)
}

/** The member of each parent. A row that several parents share is presented once. */
async function loadMembers<Result, Inside>(
  walk: Walk<Result, Inside>,
  relation: Relation<unknown, ObjectName>,
  subtree: ExpandTree,
  parents: readonly AnyRow[],
  memberOf: (value: Result | readonly Result[] | null) => Inside,
): Promise<Inside[]> {
  const { db, companyId } = walk
  const { rows, indexes } = await walk.limitStatements(() => relation.load(db, companyId, parents))
  const objects = await presentTree(walk, relation.to, rows, subtree)
  return indexes.map((own) => {
    const values = own.map((index) => objects[index] ?? missing(index))
    return memberOf(relation.many ? values : (values[0] ?? null))
  })
}
