import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACCESS } from '../src/api/access.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import type { Field } from '../src/world/fields.ts'
import type { Kind } from '../src/world/kind.ts'
import { KINDS } from '../src/world/kinds.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
/** Removes the spaces that align table columns. */
const readTables = (path: string) => read(path).replaceAll(/ {2,}\|/g, ' |')

function describeField({ name, required, default: byDefault }: Field): string {
  const value = byDefault === undefined || Array.isArray(byDefault) ? '' : ` = ${JSON.stringify(byDefault)}`
  return `\`${name}\`${required === true ? '\\*' : ''}${value}`
}

const EVERYWHERE = new Set(['id', 'companyId', 'createdAt', 'updatedAt'])

function describeKind({ name, shape, children }: Kind): [string, string] {
  const fields = shape.fields.filter((field) => !EVERYWHERE.has(field.name)).map(describeField)
  if (children !== null) fields.push(`\`${children.name}\``)
  return [`\`${name}\``, fields.join(', ')]
}

/** A Markdown table, aligned as the formatter aligns it. */
function tableOf(rows: [string, string][]): string {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[], pad: string) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0, pad)).join(' | ')} |`
  const [head = ['', ''], ...others] = rows
  return [line(head, ' '), line(['', ''], '-'), ...others.map((row) => line(row, ' '))].join('\n')
}

describe('docs/world-format.md', () => {
  it('lists the fields of every kind (`vitest -u` updates it)', async () => {
    const table = tableOf([['`object`', 'Fields'], ...KINDS.map(describeKind)])
    const updated = read('docs/world-format.md').replace(/^\| `object` .*(?:\n\|.*)*/m, () => table)
    await expect(updated).toMatchFileSnapshot('../docs/world-format.md')
  })
})

describe('docs/endpoints.md', () => {
  const document = readTables('docs/endpoints.md')

  it.each(ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint] as const))(
    'maps %s to its plans and to tests that exist',
    (operation, { method, path }) => {
      const plans = ACCESS[operation].map((plan) => `\`${plan}\``).join(', ')
      const row = `| \`${method} ${path.replace(/:(\w+)/, '{$1}')}\` | ${plans} | `
      expect(document).toContain(row)
      const tests = document.slice(document.indexOf(row) + row.length).split('\n')[0] ?? ''
      const files = [...tests.matchAll(/\(\.\.\/(test\/[\w.-]+)\)/g)].map(([, file = '']) => file)
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) expect(read(file)).toContain('describe(')
    },
  )
})

describe('README.md', () => {
  const readme = read('README.md')

  it('is short enough for the first minute', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(120)
  })

  it('links every guide', () => {
    const guides = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'))
    const forContributors = ['mutation-testing.md']
    const missing = guides.filter((name) => !readme.includes(`(docs/${name})`))
    expect(missing).toEqual(forContributors)
  })
})

describe('docs/compatibility.md', () => {
  it('promises that nothing is removed or renamed', () => {
    const promise = read('docs/compatibility.md')
    expect(promise).toContain('- members of response objects')
    expect(promise).toContain('- error codes (`error.code`) and error types (`error.type`)')
    expect(promise).toContain(
      'No endpoint, parameter, member, error code or error type is removed or renamed.',
    )
  })
})

describe('docs/scaling.md', () => {
  it('has the figures of docs/performance.md', () => {
    const line = /^- (.+): (\d+) requests per second, p50 ([\d.]+) ms, p99 ([\d.]+) ms$/gm
    const lines = [...read('docs/scaling.md').matchAll(line)]
    expect(lines).toHaveLength(4)
    const performance = read('docs/performance.md')
    for (const figures of lines) expect(performance).toContain(`\n| ${figures.slice(1).join(' | ')} |`)
  })
})

/** The anchors of the headings, as GitHub derives them. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('links and paths in documents exist', () => {
  const root = new URL('..', import.meta.url)
  const documents = ['.', 'docs', 'docs/adr', 'console', 'src/codec'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  )

  it.each(documents)('%s', (path) => {
    const text = read(path)
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      ([, link = '']) => new URL(link, new URL(path, root)),
    )
    const paths = [
      ...text.matchAll(/`((?:src|test|e2e|system|torture|bench|docs|migrations)\/[\w./-]+)`/g),
    ].map(([, name = '']) => new URL(name, root))
    expect([...links, ...paths].filter((url) => !existsSync(url)).map(({ pathname }) => pathname)).toEqual([])
  })

  it.each(documents)('%s: anchors', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const broken = links.filter(([, link = '', anchor = '']) => {
      const target = link === '' ? read(path) : readFileSync(new URL(link, new URL(path, root)), 'utf8')
      return !anchorsOf(target).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  it('names files and folders that exist, below src/ if not below the root', () => {
    const paths = [...read('ARCHITECTURE.md').matchAll(/`((?:[\w-]+\/)+(?:[\w-]+\.\w+)?)`/g)].map(
      ([, path = '']) => path,
    )
    expect(paths.length).toBeGreaterThan(50)
    const missing = paths.filter((path) => !['', 'src/'].some((folder) => existsSync(`${folder}${path}`)))
    expect(missing).toEqual([])
  })
})

/** The path of a test in one of the folders of tests. */
const findTest = (name: string) =>
  [`test/${name}.test.ts`, `system/processes/${name}.test.ts`].find((path) => existsSync(path)) ?? name

describe('SECURITY.md', () => {
  it('names tests that exist for every threat', () => {
    const rows = readTables('SECURITY.md').matchAll(/^\| [^|]+ \| [^|]+ \| (`[^|]+) \|$/gm)
    const shown = [...rows].map(([, names = '']) => names)
    expect(shown.length).toBeGreaterThan(10)
    for (const names of shown) {
      const files = [...names.matchAll(/`([\w/.-]+)`/g)].map(([, name = '']) => name)
      const tests = files.filter((name) => !name.endsWith('/'))
      expect(files.length + Number(names.includes('npm run check'))).toBeGreaterThan(0)
      for (const name of tests) expect(read(name.includes('/') ? name : findTest(name))).toContain('it')
    }
  })
})
