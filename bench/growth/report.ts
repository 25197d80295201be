/** Prints the figures of growth, and writes them and their plot into docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { KINDS } from './requests.ts'
import type { Kind } from './requests.ts'
import type { GrowthFigures } from './measure.ts'
import { ASSUMED, deriveNeeds } from './needs.ts'
import type { PeerFigures } from './peers.ts'
import { plotGrowth } from './plot.ts'
import { PEER_SIZE, nameOf } from './sizes.ts'

/** The latest figures of each size, by its name. */
export interface GrowthRecord {
  worlds: Record<string, GrowthFigures & { date: string }>
  peers: (PeerFigures & { date: string })[]
}

const NAMES = Object.keys(KINDS) as Kind[]
const MARKERS = ['<!-- growth -->', '<!-- /growth -->'] as const
const PLACE = 'docs/performance.md'

export function printGrowth({ size, imported, disk, memory, costs }: GrowthFigures): void {
  for (const kind of NAMES) {
    const { serverUs, databaseUs, ratio } = costs[kind]
    const cpu = `CPU ${serverUs.toFixed(0)} + ${databaseUs.toFixed(0)} µs`
    console.log(`${nameOf(size)}: ${KINDS[kind]}: ${cpu}, ${ratio.toFixed(2)} × the reference`)
  }
  const rate = `${(imported.lines / imported.seconds).toFixed(0)} lines a second`
  const space = `disk ${megabytes(disk.tableBytes + disk.indexBytes)}`
  console.log(`${nameOf(size)}: import ${rate}, ${space}, service ${megabytes(memory.loadedBytes)}`)
}

export function printPeers(peers: readonly PeerFigures[]): void {
  for (const { name, costs } of peers) {
    const cells = NAMES.flatMap((kind) => {
      const cost = costs[kind]
      return cost === undefined ? [] : [`${KINDS[kind]} ${costCell(cost)}`]
    })
    console.log(`${name}: ${cells.join(', ')}`)
  }
}

export function writeGrowth(record: GrowthRecord): void {
  writeFileSync('docs/growth.svg', plotGrowth(sorted(record)))
  writeFileSync(PLACE, withGrowth(readFileSync(PLACE, 'utf8'), sectionOf(record)))
}

/** Replaces this section in the text, or appends it. */
export function withGrowth(text: string, section: string): string {
  const rest = text.replace(growthOf(text), '').trimEnd()
  return section === '' ? `${rest}\n` : `${rest}\n\n${section}`
}

/** The section of the text, or an empty text. */
export function growthOf(text: string): string {
  const [start, end] = MARKERS.map((marker) => text.indexOf(marker))
  if (start === undefined || end === undefined || start === -1 || end === -1) return ''
  return text.slice(start, end + MARKERS[1].length + 1)
}

/** The reference first, then by quotes and companies. */
function sorted({ worlds }: GrowthRecord): (GrowthFigures & { date: string })[] {
  return Object.values(worlds).toSorted(
    (a, b) => a.size.quotes - b.size.quotes || a.size.companies - b.size.companies,
  )
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')
const megabytes = (bytes: number) => `${number(bytes / 1_000_000)} MB`
const gigabytes = (bytes: number) => `${(bytes / 1_000_000_000).toFixed(1)} GB`
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

export function sectionOf(record: GrowthRecord): string {
  const worlds = sorted(record)
  const costs = worlds.map(({ size, costs: of }) =>
    row([number(size.companies), number(size.quotes), ...NAMES.map((kind) => costCell(of[kind]))]),
  )
  const resources = worlds.map(({ size, imported, disk, memory, date }) =>
    row([
      number(size.companies),
      number(size.quotes),
      megabytes(memory.restingBytes),
      megabytes(memory.loadedBytes),
      megabytes(memory.databaseBytes),
      megabytes(disk.tableBytes),
      megabytes(disk.indexBytes),
      number(imported.lines),
      number(imported.lines / imported.seconds),
      number(imported.lines / imported.cpuSeconds),
      megabytes(imported.bytes),
      date,
    ]),
  )
  const shares = worlds
    .map(({ imported }) => imported.cpuSeconds / imported.seconds)
    .toSorted((a, b) => a - b)
  return `${MARKERS[0]}

## Growth

Written by \`npm run bench -- --growth\`: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}.
Companies of one world have the same number of quotes, with the averages of the demo: 5 lines and 1.6 days a quote. Requests go
to all companies in turn, each with its key, and to many quotes. "At depth" is between 85 and 95 % of a company's list. A page
of 100 is only as full as the company: 100 companies with 10,000 quotes have 100 each, 5 of them deleted.

![Cost, memory, disk and import against size](growth.svg)

CPU of server + database per request in microseconds, and in parentheses both relative to 1 company with 10,000 quotes. That
world is measured again in the rounds of every other one, so that the ratio does not depend on the speed of the machine at
that time. The plot shows the ratio times the cost of that world. With more companies, fewer requests find their key in the
cache, which keeps it for half a second.

${row(['Companies', 'Quotes', ...NAMES.map((kind) => KINDS[kind])])}
|---|---|${'---|'.repeat(NAMES.length)}
${costs.join('\n')}

Memory is that of the service at rest and after the load, and that of PostgreSQL with its default settings: only the worlds of
10,000 quotes nearly fit into its 128 MB of shared buffers. The import is
measured with its elapsed time, which depends on other programs, and with the CPU time of command and database. In these runs
it had ${shares[0]?.toFixed(1)} to ${shares.at(-1)?.toFixed(1)} processors for both.

${row(['Companies', 'Quotes', 'Service at rest', 'Service', 'PostgreSQL', 'Tables', 'Indexes', 'Lines', 'Lines a second', 'Lines per processor second', 'Import memory', 'Date'])}
|${'---|'.repeat(12)}
${resources.join('\n')}

${needsText(worlds)}
${peersText(record.peers)}\`--quick\` leaves out the worlds of 1,000,000 quotes, \`--sizes 1x100000,100x1000000\` selects worlds (companies × quotes),
\`--keep\` keeps their data in \`.bench/growth/\`, where each is otherwise deleted after its measurement, \`--peers\` adds the
comparison with other servers, and \`--write\` writes this section from the latest figures of every size.

${MARKERS[1]}
`
}

function costCell({ serverUs, databaseUs, ratio }: GrowthFigures['costs'][Kind]): string {
  return `${number(serverUs)} + ${number(databaseUs)} (${ratio.toFixed(2)})`
}

function needsText(worlds: readonly GrowthFigures[]): string {
  const needs = deriveNeeds(worlds)
  const mix = NAMES.map((kind) => `${ASSUMED.shares[kind] * 100} % ${KINDS[kind]}`).join(', ')
  return `### 1,000 companies

Assumed: ${number(ASSUMED.quotesEach)} quotes each, which is ${number(needs.quotes)} in all, and in busy hours ${ASSUMED.requestsPerSecondEach} requests per second of each, of which ${mix}.
Costs are those of the plot and continue the line over the logarithm of the size of the worlds with the most companies; the
largest has ${number(needs.measuredQuotes)} quotes. Disk and import time continue in proportion to the quotes. These
are the times of the latest run: the processors of this machine are shared, and in slower runs a request took up to twice as long.

- **Processors**: ${number(needs.requestsPerSecond)} requests per second at ${number(needs.serverUs)} µs of the service and ${number(needs.databaseUs)} µs of PostgreSQL each, at ${ASSUMED.processorShare * 100} % use: ${needs.processors} processors,
  with ${needs.processes} service ${needs.processes === 1 ? 'process' : 'processes'}.
- **Memory**: ${gigabytes(needs.serviceBytes)} for the service, and ${gigabytes(needs.cacheBytes)} for PostgreSQL and the file cache: all indexes and ${ASSUMED.hotTableShare * 100} % of the tables.
- **Disk**: ${gigabytes(needs.diskBytes)} for tables and indexes, and up to 4 GB of WAL. Backups need their own space.
- **First import**: ${(needs.importSeconds / 3600).toFixed(1)} hours of CPU time of command and database, which work at the same time.
`
}

function peersText(peers: GrowthRecord['peers']): string {
  if (peers.length === 0) return ''
  const kinds = NAMES.filter((kind) => peers.some(({ costs }) => costs[kind] !== undefined))
  const rows = peers.map(({ name, costs, answers }) =>
    row([
      name,
      ...kinds.map((kind) => {
        const cost = costs[kind]
        return cost === undefined ? '' : costCell(cost)
      }),
      answers === 0 ? 'itself' : number(answers),
    ]),
  )
  return `### Other servers that answer the same four reads

Servers in \`bench/peers/\` answer the four reads of the table, and nothing else of the API. They got the same requests in the world of
${PEER_SIZE.companies} companies with ${number(PEER_SIZE.quotes)} quotes (${peers[0]?.date}), on the same tables, with API keys,
totals, cursors and the six expansions: ${peerVersions()}.
Each loads a page with a constant number of statements: Drizzle with prepared relational queries, which are one statement with
all relations, and Prisma with its default strategy, one statement per relation. Both calculate totals with our functions. Before
the measurement, their answers are compared with ours and must be equal as JSON. They have no request log, metrics, limits, or
validation of parameters. CPU as above; in parentheses relative to ours in the same rounds.

${row(['Server', ...kinds.map((kind) => KINDS[kind]), 'Equal answers'])}
|---|${'---|'.repeat(kinds.length + 1)}
${rows.join('\n')}

`
}

function peerVersions(): string {
  const own = JSON.parse(readFileSync('bench/peers/package.json', 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return ['fastify', 'drizzle-orm', 'prisma'].map((name) => `${name} ${own.devDependencies[name]}`).join(', ')
}
