/** The audit page and the timelines of records. */
import { z } from 'zod'
import {
  ACTIVITY_KINDS,
  CUSTOMERS_PERSON,
  SYSTEM_PERSON,
  parseActivityId,
} from '../core/change-log/activity.ts'
import { ADMINS } from '../core/callers.ts'
import type { Activity } from '../core/change-log/activity.ts'
import { isPossibleId } from '../core/ids.ts'
import { listActivity, listTimeline } from '../records/audit/list.ts'
import type { ActorFilter } from '../records/change/list.ts'
import { listApiKeys } from '../records/api-key/queries.ts'
import { listUsers } from '../records/user/queries.ts'
import { consoleRoute } from './route.ts'

export interface ActivityAnswer {
  entries: Activity[]
  hasMore: boolean
}

/** The person filter: users and keys, also those that can no longer be used. */
export interface ActivityPeopleAnswer {
  users: { id: string; name: string }[]
  keys: { id: string; name: string }[]
}

const After = z
  .string()
  .transform((text, context) => {
    const position = parseActivityId(text)
    if (position !== null) return position
    context.addIssue({ code: 'custom', message: 'after must be the id of an entry' })
    return z.NEVER
  })
  .optional()

const Time = z.iso.datetime('must be a time in UTC').optional()

const ActivityQuery = z.strictObject({
  after: After,
  /** The id of a user or key, `customers` or `system`. */
  person: z.string().optional(),
  kind: z.enum(ACTIVITY_KINDS).optional(),
  from: Time,
  before: Time,
})

const showActivity = consoleRoute({
  method: 'GET',
  path: '/console/activity',
  allowed: ADMINS,
  input: ActivityQuery,
  answer: async ({ db, companyId, input }): Promise<ActivityAnswer> => {
    const { after = null, person, kind, from, before } = input
    if (person !== undefined && !isPossibleId(person)) return { entries: [], hasMore: false }
    const at = {
      from: from === undefined ? -Infinity : Date.parse(from),
      before: before === undefined ? Infinity : Date.parse(before),
    }
    return listActivity(db, companyId, { actor: actorOf(person), kind, at }, after)
  },
})

function actorOf(person: string | undefined): ActorFilter | undefined {
  if (person === CUSTOMERS_PERSON) return { type: 'customer' }
  if (person === SYSTEM_PERSON) return { type: 'system' }
  return person === undefined ? undefined : { id: person }
}

const named = ({ id, name }: { id: string; name: string }) => ({ id, name })

const showPeople = consoleRoute({
  method: 'GET',
  path: '/console/activity/people',
  allowed: ADMINS,
  answer: async ({ db, companyId }): Promise<ActivityPeopleAnswer> => {
    const [users, keys] = await Promise.all([listUsers(db, companyId), listApiKeys(db, companyId)])
    return { users: (users ?? []).map(named), keys: (keys ?? []).map(named) }
  },
})

const showTimeline = consoleRoute({
  method: 'GET',
  path: '/console/timeline',
  input: z.strictObject({
    object: z.enum(['quote', 'event', 'invoice', 'lead']),
    id: z.string(),
    after: After,
  }),
  answer: async ({ db, companyId, input: { object, id, after = null } }): Promise<ActivityAnswer> => {
    if (!isPossibleId(id)) return { entries: [], hasMore: false }
    return listTimeline(db, companyId, { object, id }, after)
  },
})

export const activityRoutes = [showActivity, showPeople, showTimeline]
