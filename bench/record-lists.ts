/** Lists of records in the application at 100,000 rows: every order, filter, deep pages and searches, relative to the plain page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RECORD_KINDS } from '../src/records/kinds.ts'
import { hashPassword } from '../src/core/security/password.ts'
import { withClient } from '../src/db/connect.ts'
import type { BigWorld } from './big-world.ts'
import { judge } from './goals.ts'
import type { GoalName, GoalResult } from './goals.ts'
import type { ServiceLoader } from './load.ts'
import { totalUs } from './requests.ts'
import { median } from './rounds.ts'
import type { RunningServer } from './servers.ts'

const COMPANY = 'co_records'
const EMAIL = 'bench@records.example'
const PASSWORD = 'a password for the benchmark'
const ROWS = 100_000
/** Durations of the search for the most expensive pages, and of their measurement */
const SCREEN_SECONDS = 0.2
const ROUND_SECONDS = 0.5
const CANDIDATES = 4

const FIRST_WORDS =
  'Ada Bela Cora Dara Edda Faye Gita Hana Ines Jona Kaya Lena Mara Nora Olga Pina Rosa Sara Tara Uma Vera Wren Xena Yara Zoe Arno Bero Caro Dino Emil Finn Gero Hugo Ivan Juri Karl Luis Milo Nino Otto'.split(
    ' ',
  )
const LAST_WORDS =
  'Abel Berg Cole Dahl Eder Falk Gold Haas Imai Joly Kuhn Lund Moor Noor Ohm Pohl Quin Rode Saar Thal Ulm Voss Wahl Xu Yang Zorn Adler Brandt Cohen Duval Ellis Frank Grant Hoang Ito Jung Klein Lopez Meyer Novak Olsen Parks Reyes Silva Tanaka Unger Vidal Weber Young Ziegler'.split(
    ' ',
  )

const wordOf = (words: readonly string[], i: number) => words[i % words.length] ?? ''

/** The required members of a kind besides its name. */
const MEMBERS: Record<string, Readonly<Record<string, unknown>>> = {
  discount: { type: 'PERCENT', percentOff: 10 },
  serviceCharge: { type: 'PERCENT', percentage: 10 },
  taxRate: { rate: 5 },
  paymentTerms: { paymentSchedule: 'FULL' },
  location: { timeZone: 'America/New_York' },
  resource: { locationId: 'location_1', category: 'Bars', status: 'Active' },
  staff: { status: 'active' },
}

const lineOf = (record: object) => `${JSON.stringify(record)}\n`
const time = (i: number) => new Date(Date.UTC(2024, 0, 1) + i * 600_000).toISOString()
const times = (i: number) => ({ createdAt: time(i), updatedAt: time(i) })

function* worldLines(passwordHash: string): Generator<string> {
  const company = { object: 'company', id: COMPANY, name: 'Records', plan: 'PREMIUM', currency: 'USD' }
  yield lineOf({ ...company, ...times(0) })
  const user = { object: 'user', id: 'user_records', companyId: COMPANY, email: EMAIL, name: 'Bench' }
  yield lineOf({ ...user, role: 'ADMIN', passwordHash, ...times(0) })
  for (const { recordType } of RECORD_KINDS) {
    for (let i = 1; i <= ROWS; i++) {
      const first = wordOf(FIRST_WORDS, i)
      const last = wordOf(LAST_WORDS, Math.floor(i / FIRST_WORDS.length))
      const isPerson = 'firstName' in recordType.columns
      yield lineOf({
        object: recordType.name,
        id: `${recordType.name}_${i}`,
        companyId: COMPANY,
        ...(isPerson
          ? { firstName: first, lastName: last, email: `${first}.${last}.${i}@example.com` }
          : { name: `${first} ${last} ${i}` }),
        ...MEMBERS[recordType.name],
        ...(i % 10 === 0 && 'archivedAt' in recordType.columns && { archivedAt: time(i + 1) }),
        ...times(i),
      })
    }
  }
}

interface ListPage {
  name: string
  query: string
  isSearch?: boolean
}

/** Words of 2.5 % and 2 % of the records, one record, prefixes, a number, and a word without matches. */
const SEARCHES = ['rosa', 'tanaka', 'rosa tanaka', 'ro', 'a', '54321', 'zzz']

function pagesOf(object: string, filters: readonly string[]): ListPage[] {
  const deep = `${object}_${ROWS / 10 + 1}`
  const orders = ['newest', 'name', '-name'].flatMap((sort) => [
    { name: sort, query: `sort=${sort}` },
    { name: `${sort}, deep`, query: `sort=${sort}&after=${deep}` },
    ...SEARCHES.map((search) => ({
      name: `${sort}, ${search}`,
      query: `sort=${sort}&search=${search}`,
      isSearch: true,
    })),
  ])
  const filtered = filters.map((filter) => ({
    name: filter,
    query: `${filter}=${String(MEMBERS[object]?.[filter])}`,
  }))
  return [...orders, ...filtered, { name: 'archived', query: 'archived=yes' }]
}

interface Parts {
  world: BigWorld
  service: RunningServer
  load: ServiceLoader
  rounds: number
}

export async function measureRecordLists(parts: Parts): Promise<GoalResult[]> {
  const { world, service, load, rounds } = parts
  await importRecords(world)
  const cookie = await signIn(service.port)
  const cpuOf = async (path: string, query: string, seconds: number) => {
    const request = `GET /console/${path}?${query.replaceAll(' ', '+')} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`
    return totalUs(await load.onService(service, [request], seconds))
  }
  const ratioOf = async (path: string, query: string, seconds: number) => {
    const plain = await cpuOf(path, '', seconds)
    return (await cpuOf(path, query, seconds)) / plain
  }
  const found: { path: string; page: ListPage; ratio: number }[] = []
  for (const { path, recordType, filters } of RECORD_KINDS) {
    console.log(`Lists of ${path}`)
    for (const page of pagesOf(recordType.name, filters))
      found.push({ path, page, ratio: await ratioOf(path, page.query, SCREEN_SECONDS) })
  }
  const judgeWorst = async (goal: GoalName, isChosen: (page: ListPage) => boolean): Promise<GoalResult> => {
    const chosen = found.filter(({ page }) => isChosen(page))
    const costs: { name: string; ratio: number }[] = []
    for (const { path, page } of chosen.toSorted((a, b) => b.ratio - a.ratio).slice(0, CANDIDATES)) {
      const ratios: number[] = []
      for (let round = 0; round < rounds; round++) ratios.push(await ratioOf(path, page.query, ROUND_SECONDS))
      costs.push({ name: `${path}: ${page.name}`, ratio: median(ratios) })
    }
    const [most] = costs.toSorted((a, b) => b.ratio - a.ratio)
    return judge(goal, most?.ratio ?? Number.NaN, `of ${chosen.length} pages: ${most?.name ?? 'none'}`)
  }
  return [
    await judgeWorst('recordLists', ({ isSearch }) => isSearch !== true),
    await judgeWorst('recordSearches', ({ isSearch }) => isSearch === true),
  ]
}

/** Has an effect only in the first run, because the records stay in the world. */
async function importRecords({ connection, folder, importFile }: BigWorld): Promise<void> {
  const { rows } = await withClient(connection, (client) =>
    client.query('SELECT FROM companies WHERE id = $1', [COMPANY]),
  )
  if (rows.length > 0) return
  console.log(`Importing ${ROWS} records of each kind`)
  const file = join(folder, 'records.ndjson')
  writeFileSync(file, '')
  let text = ''
  for (const line of worldLines(await hashPassword(PASSWORD))) {
    text += line
    if (text.length < 1_000_000) continue
    writeFileSync(file, text, { flag: 'a' })
    text = ''
  }
  writeFileSync(file, text, { flag: 'a' })
  await importFile(file)
}

async function signIn(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`could not sign in: ${answer.status}`)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
