/** Options of a quote: optional lines, and groups of lines of which exactly one is selected. */

export interface Option {
  optional: boolean
  selected: boolean
  optionGroup: string | null
}

interface OptionError {
  /** Of the line. */
  index: number
  message: string
}

/** The lines that break the rules. A group is reported once, at its last line. */
export function findOptionErrors(lines: readonly Option[]): OptionError[] {
  const errors: OptionError[] = []
  const groups = new Map<string, { index: number; selected: number }>()
  for (const [index, { optional, selected, optionGroup }] of lines.entries()) {
    if (optionGroup !== null) {
      const count = (groups.get(optionGroup)?.selected ?? 0) + (selected ? 1 : 0)
      groups.set(optionGroup, { index, selected: count })
    } else if (!optional && !selected) {
      errors.push({ index, message: 'Only an optional line can be left out.' })
    }
  }
  for (const { index, selected } of groups.values()) {
    if (selected !== 1) errors.push({ index, message: 'Select exactly one of the alternatives.' })
  }
  return errors
}

/** The same lines with a valid selection. Of a group, the first selected line stays, or else its first line is selected. */
export function withValidOptions<Line extends Option>(lines: readonly Line[]): Line[] {
  const chosen = new Map<string, Line>()
  for (const line of lines) {
    const { optionGroup, selected } = line
    if (optionGroup === null) continue
    const other = chosen.get(optionGroup)
    if (other === undefined || (selected && !other.selected)) chosen.set(optionGroup, line)
  }
  return lines.map((line) => {
    const { optional, optionGroup } = line
    const isFree = optional && optionGroup === null
    const selected = isFree ? line.selected : optionGroup === null || chosen.get(optionGroup) === line
    return selected === line.selected ? line : { ...line, selected }
  })
}

type KeyOf<Line> = (line: Line) => string | null

/** Makes the selection valid where options changed. Imported lines that break the rules stay as they are until then. */
export function withValidChanges<Line extends Option>(
  before: readonly Line[],
  after: readonly Line[],
  keyOf: KeyOf<Line>,
): Line[] {
  const isChanged = optionChanges(before, after, keyOf)
  const valid = withValidOptions(after)
  return after.map((line, i) => (isChanged(line) ? (valid[i] ?? line) : line))
}

/** The errors of lines whose options changed. */
export function findNewOptionErrors<Line extends Option>(
  before: readonly Line[],
  after: readonly Line[],
  keyOf: KeyOf<Line>,
): OptionError[] {
  const isChanged = optionChanges(before, after, keyOf)
  return findOptionErrors(after).filter(({ index }) => after[index] !== undefined && isChanged(after[index]))
}

/** Whether the options of a line changed, or those of any line of its group. */
function optionChanges<Line extends Option>(
  before: readonly Line[],
  after: readonly Line[],
  keyOf: KeyOf<Line>,
): (line: Line) => boolean {
  const placeOf = (line: Line) =>
    line.optionGroup === null ? `line ${keyOf(line)}` : `group ${line.optionGroup}`
  const statesOf = (lines: readonly Line[]) => {
    const states = new Map<string, string[]>()
    for (const line of lines) {
      const state = JSON.stringify([keyOf(line), line.optional, line.selected])
      const others = states.get(placeOf(line))
      if (others === undefined) states.set(placeOf(line), [state])
      else others.push(state)
    }
    return new Map([...states].map(([place, all]) => [place, all.toSorted().join()]))
  }
  const [old, now] = [statesOf(before), statesOf(after)]
  return (line) => old.get(placeOf(line)) !== now.get(placeOf(line))
}

/** A name that no group of the quote has: `Bar`, or `Bar 2`. */
export function newGroupName(wanted: string, lines: readonly Pick<Option, 'optionGroup'>[]): string {
  const taken = new Set(lines.map(({ optionGroup }) => optionGroup))
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`
  return name
}
