/** No SQL text is built from input: whatever reaches the driver as a statement is made of constants of the source. */
import { describe, expect, it } from 'vitest'
import { createJudge } from './support/made-of-constants.ts'
import { isNode, parseFolder, parseSource, placeOf, walk } from './support/source-trees.ts'
import type { Node, SourceFile } from './support/source-trees.ts'

/**
 * Descriptions of tables: made by `src/world/kind.ts` from the table of kinds, or by `src/db/backup-tables.ts` from the
 * catalogue of the database (test/backup.test.ts: nobody else can make one of those). And foreign keys from that catalogue,
 * which no other file than `src/db/world-references.ts` knows. Columns are constants of `records/<noun>/columns.ts`, and their
 * SQL expressions are checked where they are written.
 */
const TRUSTED = new Set([
  'WorldTable',
  'Span',
  'BackupTable',
  'ForeignKey',
  'OwnColumns',
  'Columns',
  'Column',
  'Fields',
  'AnyRecordType',
])

/** What is sent as SQL. */
function statementTexts({ program }: SourceFile): Node[] {
  return [...walk(program)].flatMap((node) => {
    if (node.type !== 'CallExpression') return []
    const [first] = node['arguments'] as Node[]
    const callee = node['callee'] as Node
    const name = String(
      callee.type === 'MemberExpression' ? (callee['property'] as Node)['name'] : callee['name'],
    )
    const isSink =
      callee.type === 'MemberExpression'
        ? name === 'query' || name === 'sql'
        : /^(statement|unpreparedStatement|copyFrom|copyTo)$/.test(name)
    // What these give is looked at where they are called.
    const maker = String((first?.['callee'] as Node | undefined)?.['name'])
    if (!isSink || first === undefined || /^copy(From|To)$/.test(maker)) return []
    if (first.type !== 'ObjectExpression' && first.type !== 'TSAsExpression') return [first]
    const object = first.type === 'TSAsExpression' ? (first['expression'] as Node) : first
    const texts = (object['properties'] as Node[]).filter((one) => (one['key'] as Node)['name'] === 'text')
    return texts.map((one) => one['value']).filter(isNode)
  })
}

/** Each text with where something comes into it that is no constant. */
function offences(files: readonly SourceFile[]): string[] {
  const findInput = createJudge(files, TRUSTED)
  return files.flatMap((file) =>
    statementTexts(file).flatMap((text) => {
      const input = findInput(text)
      return input === null ? [] : [`${placeOf(file, text)} has ${input.slice(0, 200)}`]
    }),
  )
}

const files = parseFolder('src')

/** The files of src with one of them changed. */
const withChange = (path: string, from: string, to: string) =>
  files.map((file) => {
    if (file.path !== path) return file
    if (!file.text.includes(from)) throw new Error(`${path} has no ${from}`)
    return parseSource(
      path,
      file.text.replace(from, () => to),
    )
  })

describe('SQL texts', () => {
  it('are made of constants only, but for the files of migrations/', () => {
    expect(files.flatMap(statementTexts).length).toBeGreaterThan(40)
    expect(offences(files)).toEqual([expect.stringMatching(/^src\/db\/migrate\.ts:\d+ has .* readFile$/)])
  })

  it('are sent by the folders of the database alone, and one probe', () => {
    const senders = files.filter((file) => statementTexts(file).length > 0).map(({ path }) => path)
    const others = senders.filter((path) => !/^src\/(db|codec|records|actions)\//.test(path))
    expect(others).toEqual(['src/http/probes.ts'])
  })

  it.each([
    [
      'an id in a text',
      'src/records/task/queries.ts',
      'const [row] = await queryRows<{ createdAt: string }>(db, CREATE_TASK, values)',
      'const [row] = (await db.query<{ createdAt: string }>(`SELECT ${task.eventId}`)).rows',
    ],
    [
      'a concatenation',
      'src/actions/idempotency.ts',
      "await client.query('BEGIN')",
      "await client.query('SELECT ' + key)",
    ],
    [
      'a filter',
      'src/records/quote/list.ts',
      "add('cursor', startingAfter)",
      'add(startingAfter, startingAfter)',
    ],
    [
      'a value of a filter',
      'src/records/quote/list.ts',
      'add(name, ids[name])',
      'add(String(ids[name]), ids[name])',
    ],
    [
      'a statement made for a call',
      'src/records/staff/queries.ts',
      'return findRow(db, FIND_STAFF, [companyId, id])',
      'return findRow(db, selectFields(STAFF_FIELDS, { from: `staff t WHERE t.id = ${id}`, orderBy: id }), [])',
    ],
    [
      'a name of a key',
      'src/records/api-key/queries.ts',
      'RETURNING id`)',
      'RETURNING ${process.env["X"]}`)',
    ],
  ])('and the rule finds %s', (_, path, from, to) => {
    expect(offences(withChange(path, from, to)).length).toBeGreaterThan(1)
  })
})
