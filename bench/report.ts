/** Prints the results, and writes docs/performance.md, its plot, and the figures in docs/scaling.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { GoalResult } from './goals.ts'
import { growthOf, withGrowth } from './growth/report.ts'
import type { LoadFigure } from './requests.ts'

export function printTable(goals: readonly GoalResult[], loads: readonly LoadFigure[]): void {
  for (const { name, value, goal, pass, note } of goals) {
    console.log(
      `${pass ? 'ok    ' : 'MISSED'} ${figure(value).padStart(8)}  ${goal.padEnd(9)} ${name} (${note})`,
    )
  }
  for (const { name, requestsPerSecond, p50Ms, p99Ms, serverUs, databaseUs } of loads) {
    const times = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`
    const cpu = `CPU ${serverUs.toFixed(0)} + ${databaseUs.toFixed(0)} µs`
    console.log(`${requestsPerSecond.toFixed(0).padStart(8)} requests per second, ${times}, ${cpu}: ${name}`)
  }
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}

export function writeReport(
  goals: readonly GoalResult[],
  loads: readonly LoadFigure[],
  isQuick: boolean,
): void {
  writeFileSync('docs/performance.svg', plotOf(loads))
  const growth = growthOf(readFileSync('docs/performance.md', 'utf8'))
  writeFileSync('docs/performance.md', withGrowth(textOf(goals, loads, isQuick), growth))
  writeFileSync('docs/scaling.md', withFigures(readFileSync('docs/scaling.md', 'utf8'), loads))
}

const SCALING_LOADS = new Set(['get', 'list10', 'deep', 'list100'])

/** Replaces the list between the markers in docs/scaling.md. */
function withFigures(text: string, loads: readonly LoadFigure[]): string {
  const lines = loads
    .filter(({ name }) => SCALING_LOADS.has(name))
    .map(
      ({ name, requestsPerSecond, p50Ms, p99Ms }) =>
        `- ${LOAD_NAMES[name]}: ${requestsPerSecond.toFixed(0)} requests per second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    )
  return text.replace(/(<!-- bench -->\n\n)[^<]*(\n\n<!-- \/bench -->)/, `$1${lines.join('\n')}$2`)
}

const LOAD_NAMES: Record<string, string> = {
  get: 'get one quote',
  bareGet: 'get without authentication, log, metrics',
  floorGet: 'get one quote, passed on',
  floorList10: 'list 10, passed on',
  floorList100: 'list 100 with six expansions, passed on',
  list10: 'list 10',
  deep: 'list 10 at depth 90,000',
  large: 'list 10, first pages',
  small: 'list 10, first pages, in a company of 100',
  list100: 'list 100 with six expansions',
}

function textOf(goals: readonly GoalResult[], loads: readonly LoadFigure[], isQuick: boolean): string {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  const goalRows = goals.map(
    ({ name, value, goal, pass, note }) =>
      `| ${name} | ${goal} | ${figure(value)} | ${pass ? 'yes' : '**no**'} | ${note} |`,
  )
  const loadRows = loads.map(
    ({ name, requestsPerSecond, p50Ms, p99Ms, serverUs, databaseUs }) =>
      `| ${LOAD_NAMES[name] ?? name} | ${requestsPerSecond.toFixed(0)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${serverUs.toFixed(0)} | ${databaseUs.toFixed(0)} |`,
  )
  return `# Performance

Written by \`npm run bench${isQuick ? ' -- --quick --write' : ''}\` on ${date}: ${cpus().length} × ${processor}, ${memory} GiB, Node ${process.versions.node}.

The data set has 200,000 quotes in 20 companies, one with 100,000 quotes and one with 100, and about 5 service days and 12
lines per quote. Each figure is the median over rounds in which the cases alternate, and goals compare cases of the same
round. Cases that should be nearly equal alternate every quarter of a second. CPU is the CPU time of the server process and
the database per request. The load generator is not counted, except pgbench for the database alone. On a machine with busy
processors, requests per processor second determine the throughput; the measured requests per second are given as well.

| Goal | Bound | Value | Reached | Measured |
|---|---|---|---|---|
${goalRows.join('\n')}

## Loads

Four connections, each of which sends its next request when it has the last response. CPU in microseconds per request.

| Request | Requests a second | p50 ms | p99 ms | Server CPU | Database CPU |
|---|---|---|---|---|---|
${loadRows.join('\n')}

"Passed on" is a lower bound for a Node.js server: it receives the request, sends the same statements and returns the text
it gets, without keys, prices, JSON or a framework. A goal relative to the database alone cannot be met if this server does
not meet it. [ADR 8](adr/0008-pages-at-any-size.md) explains where the rest of the time goes.

![CPU time per request](performance.svg)

## How it is measured

\`npm run bench\` creates the data set once, which takes some minutes, and keeps it in \`.bench/\`. \`BENCH_DATABASE_URL\`
selects another PostgreSQL on the same machine. \`--quick\` takes less than five minutes, \`--json FILE\` writes the
figures, \`--peer\` installs PostGraphile 4 into \`.bench/peer\` and compares with it, and \`--write\` makes a quick run
write this page too. The statements for the database alone are recorded from the running service. The benchmark needs
Linux. Without pgbench (Debian: \`postgresql\`), a loop with the driver sends the same statements.
`
}

/** Horizontal bars: server and database CPU per request, on a logarithmic scale. */
function plotOf(loads: readonly LoadFigure[]): string {
  const [left, top, rowHeight, width] = [300, 50, 34, 420]
  const most = Math.max(...loads.map(({ serverUs, databaseUs }) => serverUs + databaseUs))
  const decades = Math.ceil(Math.log10(most)) - 1
  const x = (us: number) => left + (Math.max(0, Math.log10(us) - 1) / decades) * width
  const bottom = top + loads.length * rowHeight
  const grid = Array.from({ length: decades + 1 }, (_, i) => {
    const us = 10 ** (i + 1)
    const label = us >= 1000 ? `${us / 1000} ms` : `${us} µs`
    return `<line x1="${x(us)}" y1="${top - 8}" x2="${x(us)}" y2="${bottom}" class="grid"/><text x="${x(us)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`
  })
  const bars = loads.map(({ name, serverUs, databaseUs }, i) => {
    const y = top + i * rowHeight
    const total = serverUs + databaseUs
    return `<text x="${left - 10}" y="${y + 16}" text-anchor="end">${LOAD_NAMES[name] ?? name}</text>
<rect x="${left}" y="${y + 4}" width="${(x(total) - left).toFixed(1)}" height="16" class="server"/>
<rect x="${left}" y="${y + 4}" width="${(x(databaseUs) - left).toFixed(1)}" height="16" class="database"/>
<text x="${x(total) + 6}" y="${y + 16}">${total.toFixed(0)} µs</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 100} ${bottom + 30}" role="img" aria-label="CPU time per request">
<style>
  svg { background: #fff } text { font: 13px system-ui, sans-serif; fill: #333 } .grid { stroke: #ddd }
  .server { fill: #e5986c } .database { fill: #33658a } .title { font-weight: 600 }
</style>
<text x="${left}" y="20" class="title">CPU time per request, logarithmic: database, and with the server</text>
${grid.join('\n')}
${bars.join('\n')}
</svg>
`
}
