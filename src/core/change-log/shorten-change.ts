/** Old and new values for the audit log, which has no room for long texts. */
import type { MemberChange } from './activity.ts'

const TEXT_MAX = 500
/** What precedes the first difference, so that people find the place. */
const BEFORE_DIFFERENCE = 50

/** Of long texts only the part that differs, since they often begin in the same way. */
export function shortenChange({ name, before, after }: MemberChange): MemberChange {
  const [old, current] = [charactersOf(before), charactersOf(after)]
  if (Math.max(old.length, current.length) <= TEXT_MAX) return { name, before, after }
  const longer = old.length > current.length ? old : current
  const difference = longer.findIndex((_, i) => old[i] !== current[i])
  const start = Math.max(0, difference - BEFORE_DIFFERENCE)
  const part = (value: unknown, characters: readonly string[]) =>
    typeof value === 'string' ? excerpt(characters, start) : value
  return { name, before: part(before, old), after: part(after, current) }
}

/** Whole characters: half of an emoji is not valid JSON. */
const charactersOf = (value: unknown): string[] => (typeof value === 'string' ? Array.from(value) : [])

function excerpt(characters: readonly string[], start: number): string {
  const end = start + TEXT_MAX
  const text = characters.slice(start, end).join('')
  return `${start > 0 ? '…' : ''}${text}${end < characters.length ? '…' : ''}`
}
