/** A row that stays the text it travelled as, with the places of its parts in it. */

export const SEPARATOR = '\x1F'

/** Where parts begin in a text, each one behind a separator, and at the end where the next one would. */
export type Places = Int32Array

/** Its properties are declared only: each initializer would cost as much as the rest of making one. */
export class PackedRow {
  declare readonly text: string
  declare readonly at: Places
  /** Place of its first part among all. */
  declare readonly first: number
  declare readonly given: unknown

  constructor(text: string, at: Places, first: number, given: unknown) {
    this.text = text
    this.at = at
    this.first = first
    this.given = given
  }

  start(place: number): number {
    return this.at[this.first + place] ?? 0
  }

  /** Behind its last character. */
  end(place: number): number {
    return (this.at[this.first + place + 1] ?? 0) - 1
  }

  part(place: number): string {
    return this.text.slice(this.start(place), this.end(place))
  }

  /** It would be the whole list, with what is not shown. */
  toJSON(): never {
    throw new Error('a row is no answer: its public object is')
  }
}

/** Its fields are read when they are asked for. They are no properties of its own: a copy by `...` has none of them. */
export type Packed<Row> = Row & PackedRow

export type PackedRowClass<Row, Given> = new (
  text: string,
  at: Places,
  first: number,
  given: Given,
) => Packed<Row>

/** The places of the parts of a list, whose number is known by its first part; undefined when there are others. */
export function indexParts(list: string, partsPerRow: number): Places | undefined {
  const end = list.indexOf(SEPARATOR)
  const parts = Number(end === -1 ? list : list.slice(0, end)) * partsPerRow
  const at = new Int32Array(parts + 1)
  let place = 0
  for (let i = end; i !== -1; i = list.indexOf(SEPARATOR, i + 1)) {
    if (place === parts) return undefined
    at[place++] = i + 1
  }
  at[place] = list.length + 1
  return place === parts ? at : undefined
}

/** Whatever they hold. */
export function joinParts(parts: readonly string[]): { text: string; at: Places } {
  const at = new Int32Array(parts.length + 1)
  let place = 0
  for (const [i, part] of parts.entries()) {
    at[i] = place
    place += part.length + 1
  }
  at[parts.length] = place
  return { text: parts.join(SEPARATOR), at }
}
