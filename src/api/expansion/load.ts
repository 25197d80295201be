/** Walks the tree of requested relations: one statement per node, for any number of rows. The statements of a level are sent together. */
import { Json, Member, memberKey, refuseBeyondMax } from '../../codec/json.ts'
import type { Packed } from '../../codec/packed-row.ts'
import type { Presentation } from '../../codec/presentation.ts'
import type { PublicObject } from '../../codec/public-object.ts'
import type { ExpandTree } from '../../core/requests/expand-paths.ts'
import { createLimiter } from '../../core/requests/limiter.ts'
import type { Limiter } from '../../core/requests/limiter.ts'
import type { Db } from '../../db/statement.ts'
import { StatementGroup } from '../../codec/text-query.ts'
import { findObject } from './relations.ts'
import type { Expanded, ObjectName } from './relations.ts'
import type { Related, Relation } from './relation.ts'

interface Context {
  db: Db
  companyId: string
  presentation: Presentation
  /** Then `db` is a single connection, and statements are sent one by one. */
  isTransaction?: boolean
}

/** Per request. With a dozen, a few requests would keep all others from the database for seconds. */
const CONNECTIONS_AT_ONCE = 2
/** For more parents than this, the statements of a level are worth two connections at once. */
const FEW_PARENTS = 25

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
  limit: Limiter
}

function walkOf<Result, Inside>(context: Context, output: Output<Result, Inside>): Walk<Result, Inside> {
  return {
    ...context,
    output,
    limit: createLimiter(context.isTransaction === true ? 1 : CONNECTIONS_AT_ONCE),
  }
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
  const load = loadersOf(walk, rows.length)
  const lists = await Promise.all(
    Object.entries(tree).map(async ([member, subtree], i) => {
      const relation = relations[member]
      if (relation === undefined) throw new Error(`${name} has no relation ${member}`)
      const related = await load(i, (db) => relation.load(db, walk.companyId, rows))
      return presentMembers(walk, relation, subtree, related, memberOf(member))
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

type Load = <Found>(index: number, load: (db: Db) => Promise<Found>) => Promise<Found>

/** How to run the statements of one level. */
function loadersOf({ db, isTransaction, limit }: Context & { limit: Limiter }, parents: number): Load {
  if (isTransaction === true) return async (_, load) => limit(() => load(db))
  const groups = Array.from(
    { length: parents > FEW_PARENTS ? CONNECTIONS_AT_ONCE : 1 },
    () => new StatementGroup(db, limit),
  )
  return async (index, load) => load(groups[index % groups.length] ?? db)
}

/** The member of each parent. A row that several parents share is presented once. */
async function presentMembers<Result, Inside>(
  walk: Walk<Result, Inside>,
  relation: Relation<unknown, ObjectName>,
  subtree: ExpandTree,
  { rows, indexes }: Related,
  memberOf: (value: Result | readonly Result[] | null) => Inside,
): Promise<Inside[]> {
  const objects = await presentTree(walk, relation.to, rows, subtree)
  return indexes.map((own) => {
    const values = own.map((index) => objects[index] ?? missing(index))
    return memberOf(relation.many ? values : (values[0] ?? null))
  })
}
