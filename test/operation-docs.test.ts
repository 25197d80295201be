/** The documents for operators against the code: settings, commands, metrics and messages of the log. */
import { readFileSync, readdirSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { readConfig } from '../src/server/config.ts'
import { createDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

const ROOT = new URL('..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
/** The cells of each row of a table whose first cell is code. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| `([^`]+)` +\|(.*)\|$/gm)].map(([, name = '', cells = '']) => [
    name,
    ...cells.split(' | ').map((cell) => cell.trim()),
  ])

describe('docs/settings.md', () => {
  const rows = rowsOf(read('docs/settings.md'))

  it('has every setting that the configuration reads, once', () => {
    const names = new Set<string>()
    const env = new Proxy({}, { get: (_, name) => void names.add(String(name)) })
    readConfig(env)
    expect(rows.map(([name = '']) => name).toSorted()).toEqual([...names].toSorted())
  })

  const defaults = rows.flatMap(([name = '', text = '']) => {
    const [, value] = /^`([^`]+)`$/.exec(text) ?? []
    return value === undefined || name === 'PUBLIC_URL' ? [] : [{ name, value }]
  })

  it('has defaults', () => {
    expect(defaults.length).toBeGreaterThan(5)
  })

  it.each(defaults)('$name is $value by default', ({ name, value }) => {
    expect(readConfig({ [name]: value })).toEqual(readConfig({}))
  })
})

/** Documents that show commands and settings. */
const DOCUMENTS = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'deploy/compose.yaml'].concat(
  readdirSync(new URL('docs', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
)

/** The words of each `npx quoting …` or `` `quoting …` ``, up to a comment, a redirection or the end of the code. */
function commandsIn(text: string): string[][] {
  const joined = text.replaceAll(/\\\n\s+/g, '')
  const found = joined.matchAll(/(?:npx |bin\/|[`"])quoting(?:\.js)?((?: (?:'[^'\n]*'|[\w./:@-]+))+)/g)
  return [...found].map(([, words = '']) => words.match(/'[^']*'|\S+/g) ?? [])
}

/** Follows the words to a command. Returns its name, and what is wrong with the other words. */
function check(words: string[]): { name: string; problem: string | null } {
  const rest = [...words]
  let command: Command = createProgram()
  while (command.commands.length > 0) {
    const word = rest.shift()
    const next = command.commands.find((candidate) => candidate.name() === word)
    if (next === undefined)
      return { name: command.name(), problem: word === '--help' ? null : `no command ${word}` }
    command = next
  }
  let positional = 0
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const option = command.options.find(({ long }) => long === word)
    if (option?.required === true) rest.shift()
    else if (option?.optional === true && rest[0]?.startsWith('--') === false) rest.shift()
    else if (option === undefined && !word.startsWith('--')) positional += 1
    else if (option === undefined && word !== '--help') return { name: nameOf(command), problem: word }
  }
  const isTooMany = positional > command.registeredArguments.length
  return { name: nameOf(command), problem: isTooMany ? `${positional} arguments` : null }
}

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

const leavesOf = (command: Command): string[] =>
  command.commands.length === 0 ? [nameOf(command)] : command.commands.flatMap(leavesOf)

describe('commands in documents', () => {
  it('docs/commands.md has every command', () => {
    const named = new Set(commandsIn(read('docs/commands.md')).map((words) => check(words).name))
    expect(leavesOf(createProgram()).filter((name) => !named.has(name))).toEqual([])
  })

  it.each(DOCUMENTS)('%s has only commands and options that exist', (path) => {
    const problems = commandsIn(read(path)).flatMap((words) => {
      const { problem } = check(words)
      return problem === null ? [] : [`${words.join(' ')}: ${problem}`]
    })
    expect(problems).toEqual([])
  })
})

describe('settings in documents', () => {
  /** Without values that are left out (`…`) or that the shell inserts. */
  const settings = DOCUMENTS.flatMap((path) =>
    [...read(path).matchAll(/^```(?:sh|ini)\n([^]*?)^```/gm)].flatMap(([, code = '']) =>
      [...code.matchAll(/\b([A-Z_]+)=('[^'$…]+'|[^\s'"$…\\]+)(?![$…])/g)].map(
        ([, name = '', value = '']) => ({
          path,
          name,
          value: value.replaceAll("'", ''),
        }),
      ),
    ),
  ).filter(({ name }) => rowsOf(read('docs/settings.md')).some(([known]) => known === name))

  it('are found', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBeGreaterThan(5)
  })

  it.each(settings)('$path: $name=$value is accepted', ({ name, value }) => {
    expect(() => readConfig({ [name]: value })).not.toThrow()
  })
})

describe('docs/operations.md', () => {
  const document = read('docs/operations.md')
  const [, rest = ''] = document.split('## Log')
  const [log = '', metrics = ''] = rest.split('## Metrics')

  it('has messages that the code logs', () => {
    const folder = new URL('src/', ROOT)
    const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n')
    const messages = rowsOf(log).map(([message = '']) => message)
    expect(messages.length).toBeGreaterThan(5)
    expect(messages.filter((message) => !code.includes(`'${message}'`))).toEqual([])
  })

  it('has every metric of the service', async () => {
    const { connection } = await createDatabase()
    const server = await startServer(connection)
    const { text } = await server.call('/metrics')
    const served = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
    const ours = served.filter((name) => !/^(process|nodejs)_/.test(name))
    const listed = rowsOf(metrics).map(([name = '']) => name)
    expect(ours.length).toBeGreaterThan(3)
    expect(ours.filter((name) => !listed.includes(name))).toEqual([])
    const source = read('src/http/metrics.ts')
    expect(listed.filter((name) => !source.includes(`name: '${name}'`))).toEqual([])
    expect([...source.matchAll(/name: '(\w+)'/g)].map(([, name = '']) => name).toSorted()).toEqual(
      listed.toSorted(),
    )
  })

  it('alerts on metrics and labels that exist', async () => {
    const [, alerts = ''] = /```promql\n([^]+?)```/.exec(metrics) ?? []
    const { connection } = await createDatabase()
    const server = await startServer(connection)
    await server.call('/healthz')
    const { text } = await server.call('/metrics')
    const names = [...alerts.matchAll(/\b([a-z]+_[a-z_]+?)(?:\{|\[|\))/g)].map(([, name = '']) => name)
    const measured = names.filter((name) => !name.endsWith('_over_time'))
    expect(measured).toHaveLength(5)
    expect(measured.filter((name) => !text.includes(`\n${name}`) && !text.includes(`TYPE ${name} `))).toEqual(
      [],
    )
  })
})
