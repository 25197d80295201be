/** The list and the get of a record type, with the newer conventions. */
import { z } from 'zod'
import { ApiError } from '../core/requests/errors.ts'
import { PATHS_MAX, SEGMENTS_MAX, collectExpand, listPaths } from '../core/requests/expand-paths.ts'
import { CURSOR_NOT_FOUND } from '../core/requests/page.ts'
import type { Page, ReadPage } from '../core/requests/page.ts'
import type { ExpandTree } from '../core/requests/expand-paths.ts'
import type { TimeRange } from '../core/schedule/time-range.ts'
import { columnName } from '../codec/column.ts'
import type { Json } from '../codec/json.ts'
import type { Packed } from '../codec/packed-row.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { Db } from '../db/statement.ts'
import type { Operation } from './access.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { presentJson } from './expansion/load.ts'
import { EXPAND_GRAPH } from './expansion/relations.ts'
import type { ObjectName } from './expansion/relations.ts'
import { expandedSchema } from './expansion/schemas.ts'
import { listOf, presentList } from './list.ts'
import {
  CURSOR_HEADER,
  LIMIT_MESSAGE,
  dateTimeBounds,
  pageParameters,
  rangeOf,
  readParameters,
  refuseExpand,
} from './parameters.ts'
import type { QuerySchema, TimeFilter } from './parameters.ts'

type AnyRow = Packed<unknown, unknown>

/** How rows become objects, and the schema of these. */
interface Representation<Row> {
  schema: z.ZodType
  present: (context: PresentContext, rows: readonly Row[], tree: ExpandTree) => Promise<Json[]>
}

type PresentContext = Pick<Call, 'db' | 'companyId' | 'presentation'>

interface Readable<Row> {
  object: ObjectName | 'formResponse' | 'webhookDelivery' | 'webhookEndpoint'
  /** Of an object that expansion does not know. */
  representation?: Representation<Row>
  /** Below /api. */
  path: string
  tag: string
  /** `lead`, `leads`: as sentences name them. */
  noun: string
  plural: string
  /** If it is not the usual one. */
  description?: string
}

/** By field: `leadId` is the parameter `lead_id`, and a time has its four bounds. */
type FieldFilters = Readonly<Record<string, z.ZodType | TimeFilter>>

type FieldValues<Filters extends FieldFilters> = {
  [Field in keyof Filters]: Filters[Field] extends z.ZodType<infer Value> ? Value : TimeRange | null
}

interface Listable<Filters extends FieldFilters, Row> extends Readable<Row> {
  operation: Operation
  /** The id of an object near the end of the demo world's first page, for the documentation. */
  lastId: string
  filters: Filters
  list: (
    db: Db,
    companyId: string,
    filters: FieldValues<Filters>,
    page: Page,
    presentation: Presentation,
  ) => Promise<ReadPage<Row>>
}

type Described = Pick<Readable<unknown>, 'object' | 'plural'>

const hasRelations = (object: string) => Object.keys(EXPAND_GRAPH[object] ?? {}).length > 0

function representationOf<Row>({ object, representation }: Readable<Row>): Representation<Row> {
  if (representation !== undefined) return representation
  const name = object as ObjectName
  return {
    schema: expandedSchema(name),
    present: (context, rows, tree) => presentJson(context, name, rows as readonly AnyRow[], tree),
  }
}

/** Collects the requested paths, or refuses them if the object has no relations. */
function expansionOf({ object, plural }: Described, prefix: '' | 'data.') {
  if (hasRelations(object)) return collectExpand(EXPAND_GRAPH, object, prefix)
  return { add: refuseExpand(capitalized(plural)), tree: {} }
}

function documentedExpansion({ object }: Described, prefix: string): Pick<Endpoint, 'expand'> {
  return hasRelations(object) ? { expand: { prefix, paths: listPaths(EXPAND_GRAPH, object) } } : {}
}

const EXPANDABLE = `\`expand[]\` includes related objects. Repeat it, or join paths with commas. A request can have at most ${PATHS_MAX}
different paths of at most ${SEGMENTS_MAX} segments.`

const describeExpansion = ({ object, plural }: Described) =>
  hasRelations(object)
    ? EXPANDABLE
    : `${capitalized(plural)} have no relations, so any \`expand[]\` is a 400.`

const unknownPath = ({ object, plural }: Described) =>
  hasRelations(object)
    ? 'Unknown expansion path "lineItems"'
    : `${capitalized(plural)} cannot be expanded: unknown path "events"`

const describeList = (listable: Described) =>
  `The ${listable.plural} of the company, newest first. All filters apply together. Keep them unchanged between pages.

${describeExpansion(listable)}`

function parametersOf(filters: FieldFilters): z.ZodRawShape {
  const parameters = Object.entries(filters).map(([field, filter]) => {
    const name = columnName(field)
    return filter instanceof z.ZodType ? { [name]: filter } : dateTimeBounds(name, filter.what)
  })
  return Object.assign({}, ...parameters) as z.ZodRawShape
}

function valuesOf<Filters extends FieldFilters>(
  filters: Filters,
  sent: Record<string, unknown>,
): FieldValues<Filters> {
  const values = Object.entries(filters).map(([field, filter]) => {
    const name = columnName(field)
    return [
      field,
      filter instanceof z.ZodType ? sent[name] : rangeOf(sent as Record<string, string | undefined>, name),
    ]
  })
  return Object.fromEntries(values) as FieldValues<Filters>
}

export function listEndpoint<const Filters extends FieldFilters, Row = AnyRow>(
  listable: Listable<Filters, Row>,
): Endpoint {
  const { object, operation, path, tag, plural, lastId, filters, list } = listable
  const url = `/api${path}`
  const query: QuerySchema = z.object({ ...pageParameters(lastId), ...parametersOf(filters) })
  const { schema, present } = representationOf(listable)
  return {
    operation,
    method: 'GET',
    path: url,
    errorShape: 'structured',
    tag,
    summary: `List ${plural}`,
    description: listable.description ?? describeList(listable),
    ...documentedExpansion(listable, 'data.'),
    query,
    status: 200,
    answerHeaders: CURSOR_HEADER,
    response: listOf(schema, `${capitalized(object)}List`, url),
    example: exampleOf(operation),
    errors: { invalid_parameter: { message: LIMIT_MESSAGE, param: 'limit' } },
    answer: async ({ db, companyId, query: sent, presentation }) => {
      const { add, tree } = expansionOf(listable, 'data.')
      const values = readParameters(query, sent, add)
      const page = {
        limit: Number(values['limit']),
        startingAfter: values['starting_after'] as string | undefined,
      }
      const { rows, hasMore, isCursorFound } = await list(
        db,
        companyId,
        valuesOf(filters, values),
        page,
        presentation,
      )
      const objects = await present({ db, companyId, presentation }, rows, tree)
      return { body: presentList(url, objects, hasMore), headers: isCursorFound ? {} : CURSOR_NOT_FOUND }
    },
  }
}

interface Gettable<Row> extends Readable<Row> {
  operation: Operation
  /** If an older endpoint has the usual one. */
  summary?: string
  find: (db: Db, companyId: string, id: string) => Promise<Row | null>
}

const GetQuery = z.object({})

export function getEndpoint<Row = AnyRow>(gettable: Gettable<Row>): Endpoint {
  const { operation, path, tag, noun, find } = gettable
  const { summary = `Get ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` } = gettable
  const missing = notFound(noun)
  const { schema, present } = representationOf(gettable)
  return {
    operation,
    method: 'GET',
    path: `/api${path}/:id`,
    errorShape: 'structured',
    tag,
    summary,
    description: gettable.description ?? describeExpansion(gettable),
    idOf: noun,
    ...documentedExpansion(gettable, ''),
    query: GetQuery,
    status: 200,
    response: schema,
    example: exampleOf(operation),
    errors: {
      invalid_parameter: { message: unknownPath(gettable), param: 'expand' },
      not_found: missing,
    },
    answer: async ({ db, companyId, id, query, presentation }) => {
      const { add, tree } = expansionOf(gettable, '')
      readParameters(GetQuery, query, add)
      const row = await find(db, companyId, id)
      if (row === null) throw new ApiError('not_found', missing)
      const [body] = await present({ db, companyId, presentation }, [row], tree)
      if (body === undefined) throw new Error(`a ${noun} was not presented`)
      return { body }
    },
  }
}

export const notFound = (noun: string) => ({ message: `${capitalized(noun)} not found`, param: 'id' })

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
