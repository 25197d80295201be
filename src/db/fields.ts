/**
 * How rows travel. Each row of a list comes as one text, its fields between separators: a value per field would be a call
 * out of JavaScript each, and most of the work of reading. A text that holds a separator itself shows by the number of its
 * parts; those rare rows are read again, one value per field.
 */

const SEPARATOR = '\x1F'

/** Times and amounts stay text, too; but that text is never empty. */
type FieldType = 'text' | 'time' | 'amount' | 'number' | 'boolean' | 'list' | 'given'

interface Field {
  name: string
  type: FieldType
  nullable: boolean
  expression: string
}

/** What a kind of row consists of, in SQL and back. A field of type `given` is not read, but comes beside. */
export interface Fields<Row, Given = undefined> {
  /** A select list of one column per field, of the table called `t`. */
  columns: string
  /** The whole row as one text, of the table called `t`. */
  packed: string
  /** The rows of such texts; undefined when a text in them holds a separator. */
  unpack: (texts: readonly (string | null)[], given: Given) => Row[] | undefined
  /** A row from its columns. */
  read: (values: readonly (string | null)[], given: Given) => Row
}

/**
 * Names with their types, `text` unless said: `id sentAt?:time guestCount:number` are read from `id`, `sent_at` (may
 * be null) and `guest_count`. Fields that are no columns have their expression beside.
 */
export function defineFields<Row extends object, Given = undefined>(
  names: string,
  expressions: Partial<Record<keyof Row & string, string>> = {},
): Fields<Row, Given> {
  const all = names
    .trim()
    .split(/\s+/)
    .map((text) => parseField(text, expressions))
  const fields = all.filter(({ type }) => type !== 'given')
  const build = rowBuilder(all) as (parts: readonly string[], given: Given) => Row
  return {
    columns: fields.map(({ name, expression }) => `${expression} AS "${name}"`).join(', '),
    packed: `concat_ws(E'\\x1F', ${fields.map(packedField).join(', ')})`,
    unpack: (texts, given) => {
      const rows = texts.map((text) => (text ?? '').split(SEPARATOR))
      return rows.every((parts) => parts.length === fields.length)
        ? rows.map((parts) => build(parts, given))
        : undefined
    },
    read: (values, given) =>
      build(
        fields.map((field, i) => packedValue(field, values[i] ?? null)),
        given,
      ),
  }
}

const FIELD = /^(\w+)(\?)?(?::(time|amount|number|boolean|list|given))?$/

function parseField(text: string, expressions: Record<string, string | undefined>): Field {
  const [, name, question, type = 'text'] = FIELD.exec(text) ?? []
  // A boolean is printed in two ways, and there is none that may be absent.
  if (name === undefined || (type === 'boolean' && question !== undefined))
    throw new Error(`not a field: ${text}`)
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return {
    name,
    type: type as FieldType,
    nullable: question !== undefined,
    expression: expressions[name] ?? `t.${column}`,
  }
}

/** An absent value is nothing at all between two separators; so a text that may be absent begins with a sign. */
function packedField({ type, nullable, expression }: Field): string {
  if (!nullable) return expression
  return type === 'text' ? `coalesce('=' || ${expression}, '')` : `coalesce(${expression}::text, '')`
}

function packedValue({ type, nullable }: Field, value: string | null): string {
  if (value === null) return ''
  return nullable && type === 'text' ? `=${value}` : value
}

/**
 * A function from the parts of a row to an object, written out: an object literal with constant names is made at once,
 * while one that is filled name by name costs more than everything else in reading a row. The names are constants of
 * this project.
 */
function rowBuilder(fields: readonly Field[]): (parts: readonly string[], given: unknown) => unknown {
  let place = 0
  const members = fields.map((field) => {
    const value = field.type === 'given' ? 'given' : memberOf(field, `p[${place++}]`)
    return `${JSON.stringify(field.name)}: ${value}`
  })
  // oxlint-disable-next-line typescript/no-implied-eval
  const build = new Function('list', 'p', 'given', `return {${members.join(', ')}}`) as (
    list: (text: string) => string[],
    parts: readonly string[],
    given: unknown,
  ) => unknown
  return (parts, given) => build(parseList, parts, given)
}

function memberOf({ type, nullable }: Field, part: string): string {
  const values: Record<FieldType, string> = {
    given: '',
    text: nullable ? `${part}.slice(1)` : part,
    time: part,
    amount: part,
    number: `+${part}`,
    boolean: `${part} === 't'`,
    list: `list(${part})`,
  }
  return nullable ? `${part} === '' ? null : ${values[type]}` : values[type]
}

/** An array of texts as PostgreSQL prints it: `{a,"b c"}`. */
function parseList(text: string): string[] {
  if (text === '{}') return []
  if (!text.includes('"')) return text.slice(1, -1).split(',')
  // Elements with anything special in them are quoted, with backslashes before quotes and backslashes.
  return Array.from(text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs), ([element, quoted]) =>
    quoted === undefined ? element : quoted.replaceAll(/\\(.)/gs, '$1'),
  )
}
