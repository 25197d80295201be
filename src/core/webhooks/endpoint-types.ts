/** The types of changes that a webhook endpoint subscribes to: names, `quote.*` or `*`. */
import { CHANGE_TYPES } from '../change-log/change-types.ts'

const OBJECTS = new Set(CHANGE_TYPES.map((type) => type.slice(0, type.indexOf('.'))))

const TYPE_PATTERNS: ReadonlySet<string> = new Set([
  '*',
  ...[...OBJECTS].map((object) => `${object}.*`),
  ...CHANGE_TYPES,
])

export const ENDPOINT_TYPES_MAX = 50

export function isTypePattern(text: string): boolean {
  return TYPE_PATTERNS.has(text)
}
