/** Cost of each filter and pair of filters for the database relative to the plain page, on first and deep pages. */
import { Client } from 'pg'
import type { Connection } from '../src/db/connect.ts'
import { SESSION_OPTIONS } from '../src/db/connect.ts'
import { threadCpuUs } from './cpu.ts'
import { median } from './rounds.ts'
import type { Watched } from './sent-statements.ts'

export interface PageCost {
  name: string
  /** CPU time of the database relative to the plain page in the same round. */
  ratio: number
}

export interface FilteredPages {
  byId: PageCost[]
  byDay: PageCost[]
  byDayAndMore: PageCost[]
}

type Filter = { name: string; query: Record<string, string>; condition: string }

const RUNS = 12
/** Expensive statements are repeated less often. */
const RUNS_UP_TO_US = 200_000

export async function measureFilteredPages(
  connection: Connection,
  watched: Watched,
  companyId: string,
  rounds: number,
): Promise<FilteredPages> {
  const client = new Client({ ...connection, options: SESSION_OPTIONS })
  await client.connect()
  try {
    const { byId, byDay, other } = await chooseFilters(client, companyId)
    const cost = async (filters: Filter[][]) =>
      measureAll(client, watched, await withDeepPages(client, companyId, filters), rounds)
    return {
      byId: await cost([...byId.map((filter) => [filter]), ...pairs(byId)]),
      byDay: await cost(byDay.map((filter) => [filter])),
      byDayAndMore: await cost(byDay.flatMap((day) => [...byId, ...other].map((more) => [day, more]))),
    }
  } finally {
    await client.end()
  }
}

async function measureAll(
  client: Client,
  watched: Watched,
  pages: { name: string; path: string }[],
  rounds: number,
): Promise<PageCost[]> {
  const pid = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0
  const cpuOf = async (path: string): Promise<number> => {
    const [sent] = await watched.statementsOf(path)
    if (sent === undefined) throw new Error(`${path} sends no statement`)
    const query = {
      name: `page-${hash(sent.text)}`,
      text: sent.text,
      values: sent.values,
      rowMode: 'array' as const,
    }
    // The first run plans the statement.
    await client.query(query)
    const before = threadCpuUs(pid)
    let runs = 0
    while (runs < RUNS && threadCpuUs(pid) - before < RUNS_UP_TO_US) {
      await client.query(query)
      runs++
    }
    return (threadCpuUs(pid) - before) / runs
  }
  const costs: PageCost[] = []
  for (const { name, path } of pages) {
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const plain = await cpuOf('/api/quotes')
      ratios.push((await cpuOf(path)) / plain)
    }
    costs.push({ name, ratio: median(ratios) })
  }
  return costs
}

/** A short name that depends on the text. */
function hash(text: string): string {
  let value = 7
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) % 2 ** 47
  return value.toString(36)
}

function pairs(filters: Filter[]): Filter[][] {
  return filters.flatMap((first, i) =>
    filters
      .slice(i + 1)
      .filter((second) => Object.keys(second.query)[0] !== Object.keys(first.query)[0])
      .map((second) => [first, second]),
  )
}

/** The first page of each combination of filters, and the page after nine tenths of its matches. */
async function withDeepPages(
  client: Client,
  companyId: string,
  filters: Filter[][],
): Promise<{ name: string; path: string }[]> {
  const pages: { name: string; path: string }[] = []
  for (const parts of filters) {
    const name = parts.map((part) => part.name).join(' and ')
    const query = new URLSearchParams(
      Object.assign({}, ...parts.map((part) => part.query)) as Record<string, string>,
    )
    pages.push({ name, path: `/api/quotes?${query.toString()}` })
    const { rows } = await client.query<{ id: string }>(
      `WITH matching AS MATERIALIZED (
         SELECT q.id, row_number() OVER (ORDER BY q.created_at DESC, q.id DESC) AS place, count(*) OVER () AS count
         FROM quotes q
         WHERE q.company_id = $1 AND q.deleted_at IS NULL AND ${parts.map((part) => part.condition).join(' AND ')})
       SELECT id FROM matching WHERE place = greatest(1, (count * 9) / 10)`,
      [companyId],
    )
    if (rows[0] === undefined) continue
    query.set('starting_after', rows[0].id)
    pages.push({ name: `${name}, deep`, path: `/api/quotes?${query.toString()}` })
  }
  return pages
}

/** The values with the most quotes, and the event type with the fewest. */
async function chooseFilters(
  client: Client,
  companyId: string,
): Promise<{ byId: Filter[]; byDay: Filter[]; other: Filter[] }> {
  const valueOf = async (column: string, order: 'DESC' | 'ASC'): Promise<string> => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT ${column} AS id FROM quotes WHERE company_id = $1 AND deleted_at IS NULL AND ${column} IS NOT NULL
       GROUP BY ${column} ORDER BY count(*) ${order}, ${column} LIMIT 1`,
      [companyId],
    )
    return rows[0]?.id ?? ''
  }
  const idFilter = async (column: string, order: 'DESC' | 'ASC' = 'DESC'): Promise<Filter> => {
    const id = await valueOf(column, order)
    const name = order === 'DESC' ? column : `rare ${column}`
    return { name, query: { [column]: id }, condition: `q.${column} = '${id}'` }
  }
  return {
    byId: [
      await idFilter('lead_id'),
      await idFilter('location_id'),
      await idFilter('booking_id'),
      await idFilter('event_type_id'),
      await idFilter('event_type_id', 'ASC'),
    ],
    byDay: await dayFilters(client, companyId),
    other: await rowTimeFilters(client, companyId),
  }
}

const DAY = 86_400_000

const instant = (time: number) => new Date(time).toISOString()

function between(name: string, from: number | null, before: number | null): Filter {
  const bounds = [
    ...(from === null ? [] : [['gte', '>=', instant(from)] as const]),
    ...(before === null ? [] : [['lt', '<', instant(before)] as const]),
  ]
  return {
    name,
    query: Object.fromEntries(bounds.map(([bound, , time]) => [`service_start_time[${bound}]`, time])),
    condition: `EXISTS (SELECT FROM service_days d WHERE d.company_id = q.company_id AND d.quote_id = q.id
      ${bounds.map(([, operator, time]) => `AND d.service_start_time ${operator} '${time}'`).join(' ')})`,
  }
}

async function dayFilters(client: Client, companyId: string): Promise<Filter[]> {
  const { rows } = await client.query<{ first: Date; last: Date }>(
    `SELECT min(service_start_time) AS first, max(service_start_time) AS last FROM service_days WHERE company_id = $1`,
    [companyId],
  )
  const first = rows[0]?.first.getTime() ?? 0
  const last = rows[0]?.last.getTime() ?? 0
  const middle = (first + last) / 2
  return [
    between('a day', middle, middle + DAY),
    between('a month', middle, middle + 30 * DAY),
    between('a year', middle - 180 * DAY, middle + 185 * DAY),
    between('all', first, last + 1),
    between('the oldest days', first, first + 3 * DAY),
    between('from a day on', middle, null),
    between('up to a day', null, middle),
    between('the last days on', last - 2 * DAY, null),
  ]
}

/** Ranges of creation and update times: a few days in the middle. */
async function rowTimeFilters(client: Client, companyId: string): Promise<Filter[]> {
  const { rows } = await client.query<{ middle: Date }>(
    `SELECT min(created_at) + (max(created_at) - min(created_at)) / 2 AS middle FROM quotes WHERE company_id = $1`,
    [companyId],
  )
  const middle = rows[0]?.middle.getTime() ?? 0
  const [from, before] = [instant(middle), instant(middle + 5 * DAY)]
  return ['created_at', 'updated_at'].map((name) => ({
    name,
    query: { [`${name}[gte]`]: from, [`${name}[lt]`]: before },
    condition: `q.${name} >= '${from}' AND q.${name} < '${before}'`,
  }))
}
