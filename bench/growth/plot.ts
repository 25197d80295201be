/** The plot of all figures against size: one panel per figure, one line per number of companies. */
import { KINDS } from './requests.ts'
import type { Kind } from './requests.ts'
import { comparableCost, referenceOf } from './measure.ts'
import type { GrowthFigures } from './measure.ts'

interface Panel {
  title: string
  valueOf: (figures: GrowthFigures) => number
}

const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [330, 150, 62, 84, 78]
const COLUMNS = 2
const CLASSES = ['few', 'some', 'many']

export function plotGrowth(figures: readonly GrowthFigures[]): string {
  const panels = panelsOf(figures)
  const companies = [...new Set(figures.map(({ size }) => size.companies))].toSorted((a, b) => a - b)
  const legend = companies.map(
    (count, i) =>
      `<line x1="${LEFT + i * 140}" y1="36" x2="${LEFT + i * 140 + 24}" y2="36" class="${CLASSES[i % 3]}"/><text x="${LEFT + i * 140 + 30}" y="40">${count} ${count === 1 ? 'company' : 'companies'}</text>`,
  )
  const drawn = panels.map((panel, i) => {
    const x = LEFT + (i % COLUMNS) * (WIDTH + LEFT + 30)
    const y = TOP + Math.floor(i / COLUMNS) * (HEIGHT + GAP)
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel, figures, companies)}\n</g>`
  })
  const width = COLUMNS * (WIDTH + LEFT + 30)
  const height = TOP + Math.ceil(panels.length / COLUMNS) * (HEIGHT + GAP)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Cost, memory, disk and import against the number of quotes">
<style>
  svg { background: #fff } text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-weight: 600 }
  .grid { stroke: #ddd } .few, .some, .many { fill: none; stroke-width: 2 }
  .few { stroke: #33658a } .some { stroke: #e5986c } .many { stroke: #6a994e }
</style>
<text x="${LEFT}" y="18" class="title">Against the number of quotes of all companies together</text>
${legend.join('\n')}
${drawn.join('\n')}
</svg>
`
}

function panelsOf(figures: readonly GrowthFigures[]): Panel[] {
  const costs = (Object.keys(KINDS) as Kind[]).map((kind) => ({
    title: `${KINDS[kind]}: CPU, µs`,
    valueOf: (one: GrowthFigures) => comparableUs(figures, one, kind),
  }))
  return [
    ...costs,
    {
      title: 'memory of the service under load, MB',
      valueOf: ({ memory }) => memory.loadedBytes / 1_000_000,
    },
    {
      title: 'disk, bytes per quote with all its records',
      valueOf: ({ disk, size }) => (disk.tableBytes + disk.indexBytes) / size.quotes,
    },
    {
      title: 'import, lines per processor second',
      valueOf: ({ imported }) => imported.lines / imported.cpuSeconds,
    },
  ]
}

function comparableUs(figures: readonly GrowthFigures[], { costs }: GrowthFigures, kind: Kind): number {
  const { serverUs, databaseUs } = comparableCost(referenceOf(figures).costs[kind], costs[kind])
  return serverUs + databaseUs
}

function drawPanel(
  { title, valueOf }: Panel,
  figures: readonly GrowthFigures[],
  companies: number[],
): string {
  const sizes = [...new Set(figures.map(({ size }) => size.quotes))].toSorted((a, b) => a - b)
  const [least = 1, most = 1] = [sizes[0], sizes.at(-1)].map((quotes) => Math.log10(quotes ?? 1))
  const top = roundUp(Math.max(...figures.map(valueOf)))
  const x = (quotes: number) => (most === least ? 0 : ((Math.log10(quotes) - least) / (most - least)) * WIDTH)
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<line x1="0" y1="${y(share * top)}" x2="${WIDTH}" y2="${y(share * top)}" class="grid"/><text x="-6" y="${y(share * top) + 4}" text-anchor="end">${(share * top).toLocaleString('en-US')}</text>`,
  )
  const ticks = sizes.map(
    (quotes) =>
      `<text x="${x(quotes).toFixed(1)}" y="${HEIGHT + 18}" text-anchor="middle">${quotes.toLocaleString('en-US')}</text>`,
  )
  const lines = companies.map((count, i) => {
    const own = figures
      .filter(({ size }) => size.companies === count)
      .toSorted((a, b) => a.size.quotes - b.size.quotes)
    const points = own.map((one) => `${x(one.size.quotes).toFixed(1)},${y(valueOf(one)).toFixed(1)}`)
    const dots = points.map((point) => {
      const [cx, cy] = point.split(',')
      return `<circle cx="${cx}" cy="${cy}" r="3" class="${CLASSES[i % 3]}"/>`
    })
    return `<polyline points="${points.join(' ')}" class="${CLASSES[i % 3]}"/>${dots.join('')}`
  })
  return [`<text x="0" y="-10" class="title">${title}</text>`, ...grid, ...ticks, ...lines].join('\n')
}

/** 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}
