/** Prints the figures, and writes docs/reliability.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Figure } from './item.ts'

export interface ItemResult {
  name: string
  title: string
  seed: number
  quick: boolean
  /** Date of the run */
  date: string
  seconds: number
  figures: Figure[]
}

const FILE = 'docs/reliability.md'

export function printResult({ figures, seconds }: ItemResult): void {
  for (const { name, value, goal, pass, detail } of figures) {
    const more = detail === undefined ? '' : ` (${detail})`
    console.log(
      `${pass ? 'ok    ' : 'MISSED'} ${String(value).padStart(10)}  ${goal.padEnd(14)} ${name}${more}`,
    )
  }
  console.log(`       ${seconds} s`)
}

export function printSummary(results: readonly ItemResult[]): void {
  const missed = results.flatMap(({ name, figures }) =>
    figures.filter(({ pass }) => !pass).map((figure) => `${name}: ${figure.name}`),
  )
  const count = results.reduce((sum, { figures }) => sum + figures.length, 0)
  console.log(
    missed.length === 0 ? `\nAll ${count} figures reach their goals.` : `\nMissed: ${missed.join('; ')}`,
  )
}

export function writeReport(results: readonly ItemResult[], order: readonly string[]): void {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  writeFileSync(FILE, reportOf(before, results, order))
}

/** Replaces the sections of items that ran. Others keep their figures, date and seed. */
export function reportOf(before: string, results: readonly ItemResult[], order: readonly string[]): string {
  const sections = readSections(before)
  for (const result of results) sections.set(result.name, sectionOf(result))
  const texts = order.flatMap((name) => sections.get(name) ?? [])
  return `${INTRODUCTION}\n${texts.join('\n')}`
}

const INTRODUCTION = `# Reliability

Written by \`npm run torture\`, which tests our guarantees on the built server with real faults. Each section has the date
and the seed of its run; \`npm run torture -- --only NAME --seed N\` repeats its random choices. Times depend on the machine,
counts do not.
`

/** A section begins with its marker, so that titles can change. */
function readSections(text: string): Map<string, string> {
  const sections = new Map<string, string>()
  for (const section of text.split(/^(?=<!-- item: )/m)) {
    const [, name] = /^<!-- item: ([\w-]+) -->/.exec(section) ?? []
    if (name !== undefined) sections.set(name, `${section.trimEnd()}\n`)
  }
  return sections
}

function sectionOf({ name, title, seed, quick, date, seconds, figures }: ItemResult): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const rows = figures.map(
    (figure) =>
      `| ${cell(figure.name)} | ${cell(figure.goal)} | ${cell(String(figure.value))} | ${figure.pass ? 'yes' : '**no**'} | ${cell(figure.detail ?? '')} |`,
  )
  return `<!-- item: ${name} -->

## ${title}

\`${name}\`, ${date}, seed ${seed}, ${quick ? 'quick run' : 'full run'} of ${seconds} s on ${machine}.

| What | Goal | Value | Reached | Detail |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')
}
