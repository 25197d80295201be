/** A row that stays the text it was transferred as, with the positions of its parts. Values are read on demand. */

export const SEPARATOR = '\x1F'

/** Where each part of a text starts, each after a separator, and at the end where the next one would start. */
export type Positions = Int32Array

/** Reads the values of a row by name. One for all rows with the same columns. */
export type Readers = Readonly<Record<string, (row: Packed<never, never>) => unknown>>

/**
 * `Shared` is the type of a value that all rows of a list have in common. The columns are not properties, so a copy by
 * `{...row}` does not pretend to have them: read one with `get`, or all with `toObject`.
 */
export class Packed<Row, Shared = undefined> {
  // Declared only: an initializer would take as long as the rest of the constructor.
  declare readonly readers: Readers
  declare readonly text: string
  declare readonly positions: Positions
  /** Index of its first part among all. */
  declare readonly first: number
  declare readonly shared: Shared
  /** Exists only for the compiler. */
  declare readonly types: { row: Row }

  constructor(readers: Readers, text: string, positions: Positions, first: number, shared: Shared) {
    this.readers = readers
    this.text = text
    this.positions = positions
    this.first = first
    this.shared = shared
  }

  get<Name extends keyof Row & string>(name: Name): Row[Name] {
    return this.readers[name]?.(this as never) as Row[Name]
  }

  /** All columns, as a plain object. */
  toObject(): Row {
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(this.readers)) object[name] = this.readers[name]?.(this as never)
    return object as Row
  }

  start(index: number): number {
    return this.positions[this.first + index] ?? 0
  }

  /** After its last character. */
  end(index: number): number {
    return (this.positions[this.first + index + 1] ?? 0) - 1
  }

  part(index: number): string {
    return this.text.slice(this.start(index), this.end(index))
  }

  /** It would be the whole list, including columns that are not shown. */
  toJSON(): never {
    throw new Error('a row is not a response: use its public object')
  }
}

/** The positions of the parts of a list, whose first part is the number of rows; undefined if the number is wrong. */
export function indexParts(list: string, partsPerRow: number): Positions | undefined {
  const end = list.indexOf(SEPARATOR)
  const parts = Number(end === -1 ? list : list.slice(0, end)) * partsPerRow
  const positions = new Int32Array(parts + 1)
  let index = 0
  for (let i = end; i !== -1; i = list.indexOf(SEPARATOR, i + 1)) {
    if (index === parts) return undefined
    positions[index++] = i + 1
  }
  positions[index] = list.length + 1
  return index === parts ? positions : undefined
}

/** Joins parts that may contain anything. */
export function joinParts(parts: readonly string[]): { text: string; positions: Positions } {
  const positions = new Int32Array(parts.length + 1)
  let position = 0
  for (const [i, part] of parts.entries()) {
    positions[i] = position
    position += part.length + 1
  }
  positions[parts.length] = position
  return { text: parts.join(SEPARATOR), positions }
}
