/** Subjects of changes: public objects as a get without expansion returns them. */
import { isDeepStrictEqual } from 'node:util'
import type { Subject } from './action.ts'

export function subjectOf(members: { object: string; id: string }): Subject {
  return { object: members.object, id: members.id, members: { ...members } }
}

/** Whether two lists have the same ids, in any order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const [inA, inB] = [new Set(a), new Set(b)]
  return inA.size === inB.size && a.every((id) => inB.has(id))
}

/** The members that differ from the stored object; null if there are none. */
export function changedMembers<Input extends object>(before: object, input: Input): Partial<Input> | null {
  const changed = Object.entries(input).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, Reflect.get(before, name)),
  )
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Input>)
}
