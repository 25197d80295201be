/** The types of changes that a webhook endpoint subscribes to: names, `quote.*` or `*`. */
import { CHANGE_TYPES } from '../change-log/change-types.ts'

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const

const OBJECTS = new Set(CHANGE_TYPES.map((type) => type.slice(0, type.indexOf('.'))))

const TYPE_PATTERNS: ReadonlySet<string> = new Set([
  '*',
  ...[...OBJECTS].map((object) => `${object}.*`),
  ...CHANGE_TYPES,
])

export const ENDPOINT_DESCRIPTION_MAX = 10_000
export const ENDPOINT_TYPES_MAX = 50
/** Of a company. */
export const ENDPOINTS_MAX = 20

export function isTypePattern(text: string): boolean {
  return TYPE_PATTERNS.has(text)
}
