/** How webhooks are described: types of changes, statuses and attempts. */
import { ACTIVITY_KINDS, typesOfKind } from '../../../src/core/change-log/activity.ts'
import type { ChangeType } from '../../../src/core/change-log/change-types.ts'
import type { DeliveryShown } from '../../../src/console/webhook-deliveries.ts'
import { titleOf } from '../activity/titles.ts'
import { KIND_LABELS } from '../activity/words.ts'
import { formatRelative } from '../format.ts'
import { nameOfStatus } from '../settings/request-words.ts'
import type { Tone } from '../ui/status.tsx'

export const ALL_CHANGES = '*'

interface TypeGroup {
  name: string
  /** `quote.*` */
  pattern: string
  types: ChangeType[]
}

/** All types of changes, by the record that they are about. */
export const TYPE_GROUPS: readonly TypeGroup[] = ACTIVITY_KINDS.flatMap((kind) => {
  const types = typesOfKind(kind).changes
  const [object] = types[0]?.split('.') ?? []
  return object === undefined ? [] : [{ name: KIND_LABELS[kind], pattern: `${object}.*`, types }]
})

const WORDS: ReadonlyMap<string, string> = new Map([
  [ALL_CHANGES, 'All changes'],
  ...TYPE_GROUPS.flatMap(({ name, pattern, types }) => [
    [pattern, `${name} (all)`] as const,
    ...types.map((type) => [type, titleOf({ type })] as const),
  ]),
])

/** `All changes`, `Quotes (all)` or `Quote sent`. */
export const wordsOfType = (pattern: string): string => WORDS.get(pattern) ?? pattern

/** A change that is no longer kept has no type. */
export const wordsOfDelivery = ({ type }: DeliveryShown): string =>
  type === null ? 'Change no longer kept' : titleOf({ type })

export const ENDPOINT_STATUS: Record<'enabled' | 'disabled', [name: string, tone: Tone]> = {
  enabled: ['Enabled', 'green'],
  disabled: ['Disabled', 'amber'],
}

export const DELIVERY_STATUS: Record<DeliveryShown['status'], [name: string, tone: Tone]> = {
  pending: ['Pending', 'blue'],
  delivered: ['Delivered', 'green'],
  failed: ['Failed', 'red'],
}

type Attempt = DeliveryShown['attempts'][number]

/** `200 OK`, or why there was no response. */
export function describeOutcome({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  const answered = status === null ? '' : `${status} ${nameOfStatus(status)}`.trim()
  return [answered, error ?? ''].filter((text) => text !== '').join(': ')
}

const MINUTE_MS = 60_000

export function isDueSoon({ status, nextAttemptAt }: DeliveryShown): boolean {
  return status === 'pending' && (nextAttemptAt === null || msUntil(nextAttemptAt) < MINUTE_MS)
}

const msUntil = (iso: string) => Date.parse(iso) - Date.now()

/** Null unless it is pending. */
export function describeNextAttempt({ status, nextAttemptAt }: DeliveryShown): string | null {
  if (status !== 'pending') return null
  if (nextAttemptAt === null) return 'Waits for an earlier change of the same record'
  return msUntil(nextAttemptAt) < MINUTE_MS
    ? 'Next attempt within a minute'
    : `Next attempt ${formatRelative(nextAttemptAt)}`
}

export function countAttempts({ attempts }: DeliveryShown): string {
  return attempts.length === 0
    ? 'No attempt yet'
    : attempts.length === 1
      ? '1 attempt'
      : `${attempts.length} attempts`
}

/** Our ids begin alike for minutes; the end tells them apart. */
export function shortenId(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, id.indexOf('_') + 5)}…${id.slice(-8)}`
}
