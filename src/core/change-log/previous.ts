/** The old values of the members that a write changed. */
import { isDeepStrictEqual } from 'node:util'

type Members = Readonly<Record<string, unknown>>

/** Changes with every write, so it would only repeat that there was one. */
const IGNORED = 'updatedAt'

/** Empty if the object was created, the whole object if it was deleted. */
export function previousOf(before: Members | null, after: Members | null): Members {
  if (before === null) return {}
  if (after === null) return before
  const changed = Object.entries(before).filter(
    ([name, value]) => name !== IGNORED && !isDeepStrictEqual(value, after[name]),
  )
  return Object.fromEntries(changed)
}

/** Splits old values: those of the named members, and the rest. */
export function splitPrevious(
  previous: Members,
  names: readonly string[],
): { named: Members; rest: Members } {
  const entries = Object.entries(previous)
  return {
    named: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  }
}
