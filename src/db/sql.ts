/**
 * SQL as values: a fragment holds text and parameters together. A string is not a fragment, so input can only become a
 * parameter, and SQL injection does not compile (sql.test.ts).
 *
 *     const byLead = sql`lead_id = ${leadId}`
 *     sql`SELECT id FROM quotes WHERE company_id = $1 AND ${byLead}`
 */

type Value = string | number | boolean | null | readonly string[] | readonly number[]

/** The texts of a template, and the fragments and values between them. Lists build many at each request, so it stays as it is. */
class Fragment {
  // Private, so that no other object has this type.
  readonly #texts: readonly string[]
  readonly #inside: readonly (Fragment | Value)[]
  /** The whole text if there are no parameters; undefined until it is known. */
  #constant: string | null | undefined

  constructor(texts: readonly string[], inside: readonly (Fragment | Value)[]) {
    this.#texts = texts
    this.#inside = inside
  }

  /** The text, and the values of its parameters, which get positions from `first` on. */
  render(first: number): { text: string; values: Value[] } {
    const writer: Writer = { texts: [], values: [], first, positions: new Map() }
    this.#write(writer)
    return { text: writer.texts.join(''), values: writer.values }
  }

  /** The values alone, in the order of their positions. */
  values(): Value[] {
    const values: Value[] = []
    this.#collect(values, new Set())
    return values
  }

  #collect(values: Value[], seen: Set<Fragment>): void {
    if (this.#constant === undefined) this.#constant = this.#findConstant()
    if (this.#constant !== null) return
    const isSeen = seen.has(this)
    seen.add(this)
    for (const part of this.#inside) {
      if (part instanceof Fragment) part.#collect(values, seen)
      else if (!isSeen) values.push(part)
    }
  }

  /** Whether a text itself has positions, as in `$2`, from this one on. */
  hasPositionsFrom(first: number): boolean {
    const isOwn = (text: string) =>
      Array.from(text.matchAll(/\$(\d+)/g)).some(([, position]) => Number(position) >= first)
    return (
      this.#texts.some(isOwn) ||
      this.#inside.some((part) => part instanceof Fragment && part.hasPositionsFrom(first))
    )
  }

  /** A parameter keeps its position, however often its fragment occurs. */
  #write(writer: Writer): void {
    if (this.#constant === undefined) this.#constant = this.#findConstant()
    if (this.#constant !== null) {
      writer.texts.push(this.#constant)
      return
    }
    const known = writer.positions.get(this)
    const positions = known ?? []
    if (known === undefined) writer.positions.set(this, positions)
    for (let i = 0; i < this.#texts.length; i++) {
      writer.texts.push(this.#texts[i] ?? '')
      if (i === this.#inside.length) break
      const part = this.#inside[i] ?? null
      if (part instanceof Fragment) part.#write(writer)
      else writer.texts.push((positions[i] ??= addValue(writer, part)))
    }
  }

  #findConstant(): string | null {
    let text = this.#texts[0] ?? ''
    for (let i = 0; i < this.#inside.length; i++) {
      const part = this.#inside[i]
      if (!(part instanceof Fragment)) return null
      if (part.#constant === undefined) part.#constant = part.#findConstant()
      if (part.#constant === null) return null
      text += part.#constant + (this.#texts[i + 1] ?? '')
    }
    return text
  }
}

interface Writer {
  texts: string[]
  values: Value[]
  first: number
  positions: Map<Fragment, string[]>
}

function addValue({ values, first }: Writer, value: Value): string {
  values.push(value)
  return `$${first + values.length - 1}`
}

export type Sql = Fragment

/** A fragment. Fragments in it are inlined, and all other values become parameters. */
export function sql(texts: TemplateStringsArray, ...inside: readonly (Sql | Value)[]): Sql {
  return new Fragment(texts, inside)
}

export const EMPTY = sql``

/** Compares emails like foldEmail in core/security/email.ts, with any locale of the database. Indexes have the same expression. */
export const foldedEmail = (email: Sql) => sql`lower(${email} COLLATE "C")`

/** For comparison with stored times, which are rounded to milliseconds: what is due now must not seem to be due in half of one. */
export const NOW_ROUNDED = sql`now()::timestamptz(3)`

export function join(fragments: readonly Sql[], separator: Sql = sql`, `): Sql {
  const inside = fragments.flatMap((fragment, i) => (i === 0 ? [fragment] : [separator, fragment]))
  return new Fragment(
    Array.from({ length: inside.length + 1 }, () => ''),
    inside,
  )
}

/** All of the conditions. */
export const allOf = (conditions: readonly Sql[]) => join(conditions, sql` AND `)

/** The name of a table or column. */
export function identifier(name: string): Sql {
  return new Fragment([`"${name.replaceAll('"', '""')}"`], [])
}

/** A list of names. */
export const identifiers = (names: readonly string[]) => join(names.map(identifier))

/** A constant as part of the text. With a limit as a parameter, PostgreSQL would plan at every call. */
export function literal(constant: number | string): Sql {
  if (typeof constant === 'number' && !Number.isSafeInteger(constant)) throw new Error('not an integer')
  const text = typeof constant === 'number' ? String(constant) : `'${constant.replaceAll("'", "''")}'`
  return new Fragment([text], [])
}

/** The only way from a text to SQL. For the files of migrations/, and statements that the benchmark recorded. */
export function trustedSql(text: string): Sql {
  return new Fragment([text], [])
}
