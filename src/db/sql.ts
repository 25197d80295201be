/**
 * SQL as values: a fragment holds text and parameters together. A string is not a fragment, so input can only become a
 * parameter, and SQL injection does not compile (sql.test.ts).
 *
 *     const byLead = sql`lead_id = ${leadId}`
 *     sql`SELECT id FROM quotes WHERE company_id = $1 AND ${byLead}`
 */

/** One value. It has one position in a statement, however often its fragment occurs there. */
class Parameter {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

type Value = string | number | boolean | null | readonly string[] | readonly number[]
type Part = string | Parameter

class Fragment {
  // Private, so that no other object has this type.
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  /** Adds the parts, and joins texts, so that a fragment without parameters is one text. */
  appendTo(parts: Part[]): void {
    for (const part of this.#parts) append(parts, part)
  }

  /** The text, and the values of its parameters, which get positions from `first` on. */
  render(first: number): { text: string; values: Value[] } {
    const values: Value[] = []
    const positions = new Map<Parameter, string>()
    let text = ''
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        text += part
        continue
      }
      let position = positions.get(part)
      if (position === undefined) {
        position = `$${first + values.length}`
        positions.set(part, position)
        values.push(part.value)
      }
      text += position
    }
    return { text, values }
  }

  /** Whether the text itself has positions, as in `$2`, from this one on. */
  hasPositionsFrom(first: number): boolean {
    return this.#parts.some(
      (part) =>
        typeof part === 'string' &&
        Array.from(part.matchAll(/\$(\d+)/g)).some(([, position]) => Number(position) >= first),
    )
  }
}

export type Sql = Fragment

function append(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
  else if (part !== '') parts.push(part)
}

/** A fragment. Fragments in it are inlined, and all other values become parameters. */
export function sql(texts: TemplateStringsArray, ...values: readonly (Sql | Value)[]): Sql {
  const parts: Part[] = []
  for (const [i, text] of texts.entries()) {
    append(parts, text)
    const value = values[i]
    if (value instanceof Fragment) value.appendTo(parts)
    else if (value !== undefined) parts.push(new Parameter(value))
  }
  return new Fragment(parts)
}

export const EMPTY = sql``

export function join(fragments: readonly Sql[], separator: Sql = sql`, `): Sql {
  const parts: Part[] = []
  for (const [i, fragment] of fragments.entries()) {
    if (i > 0) separator.appendTo(parts)
    fragment.appendTo(parts)
  }
  return new Fragment(parts)
}

/** All of the conditions. */
export const allOf = (conditions: readonly Sql[]) => join(conditions, sql` AND `)

/** The name of a table or column. */
export function identifier(name: string): Sql {
  return new Fragment([`"${name.replaceAll('"', '""')}"`])
}

/** A list of names. */
export const identifiers = (names: readonly string[]) => join(names.map(identifier))

/** A constant as part of the text. With a limit as a parameter, PostgreSQL would plan at every call. */
export function literal(constant: number | string): Sql {
  if (typeof constant === 'number' && !Number.isSafeInteger(constant)) throw new Error('not an integer')
  return new Fragment([
    typeof constant === 'number' ? String(constant) : `'${constant.replaceAll("'", "''")}'`,
  ])
}

/** The only way from a text to SQL. For the files of migrations/, and statements that the benchmark recorded. */
export function trustedSql(text: string): Sql {
  return new Fragment([text])
}
