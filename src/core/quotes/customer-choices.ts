/** The choices of a customer in a quote: optional lines, and one line of each group of alternatives. */
import type { Option } from './quote-options.ts'

/** Whether the customer decides about this line. */
export function isChoice({ optional, optionGroup }: Pick<Option, 'optional' | 'optionGroup'>): boolean {
  return optional || optionGroup !== null
}

/** The positions of the lines that are chosen at first. */
export function chosenAtFirst(lines: readonly Option[]): number[] {
  return lines.flatMap((line, index) => (isChoice(line) && line.selected ? [index] : []))
}

/** The lines with this choice. Lines that the customer cannot choose stay as they are. */
export function chooseLines<Line extends Option>(lines: readonly Line[], chosen: Iterable<number>): Line[] {
  const positions = new Set(chosen)
  return lines.map((line, index) => (isChoice(line) ? { ...line, selected: positions.has(index) } : line))
}

/** The name of the first group of which not exactly one line is selected; null if the choice is complete. */
export function findIncompleteGroup(lines: readonly Option[]): string | null {
  const counts = new Map<string, number>()
  for (const { optionGroup, selected } of lines) {
    if (optionGroup !== null) counts.set(optionGroup, (counts.get(optionGroup) ?? 0) + (selected ? 1 : 0))
  }
  return [...counts].find(([, count]) => count !== 1)?.[0] ?? null
}

/** `2,5` as positions of lines. Null if it is not a list of positions of choices; empty for an empty list. */
export function parseChoices(text: string, lines: readonly Option[]): number[] | null {
  if (text === '') return []
  const parts = text.split(',')
  const positions = parts.map((part) => (/^(?:0|[1-9]\d{0,3})$/.test(part) ? Number(part) : -1))
  const areChoices = positions.every((position) => {
    const line = lines[position]
    return line !== undefined && isChoice(line)
  })
  return areChoices && new Set(positions).size === positions.length ? positions : null
}
