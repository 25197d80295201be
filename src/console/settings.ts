/** The integrations settings: keys, the addresses they may be used from, and what the plan gives access to. */
import { z } from 'zod'
import type { Plan } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import { isPossibleId, isStorableText } from '../core/ids.ts'
import { NETWORKS_MAX, describeListProblems } from '../core/security/network.ts'
import { runAction } from '../actions/action.ts'
import { createApiKey, revokeApiKey } from '../actions/api-keys.ts'
import { setAllowedIps } from '../actions/set-allowed-ips.ts'
import { findCompanyAccess } from '../records/company/allowed-ips.ts'
import { listApiKeys } from '../records/api-key/queries.ts'
import type { ListedApiKey } from '../records/api-key/queries.ts'
import { planMayCall } from '../api/access.ts'
import { ENDPOINTS } from '../api/endpoints.ts'
import { consoleRoute } from './route.ts'

export interface SettingsAnswer {
  /** The latest first. */
  keys: ListedApiKey[]
  allowedIps: string[]
  /** Where the browser calls from, as the list would see it; null where that cannot be read. */
  yourAddress: string | null
  plan: Plan
  /** Every endpoint, in the order of the documentation. */
  endpoints: { method: string; path: string; summary: string; isIncluded: boolean }[]
}

const showSettings = consoleRoute({
  method: 'GET',
  path: '/console/settings',
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ db, companyId, address }): Promise<SettingsAnswer> => {
    const [access, keys] = await Promise.all([findCompanyAccess(db, companyId), listApiKeys(db, companyId)])
    if (access === null || keys === null) throw new ApiError('not_found')
    return {
      keys: keys.toReversed(),
      allowedIps: access.allowedIps,
      yourAddress: address,
      plan: access.plan,
      endpoints: ENDPOINTS.map(({ method, path, summary, operation }) => ({
        method,
        path: path.replaceAll(/:(\w+)/g, '{$1}'),
        summary,
        isIncluded: planMayCall(access.plan, operation),
      })),
    }
  },
})

export interface CreatedKeyAnswer {
  id: string
  name: string
  /** Only in this answer. */
  key: string
  /** Works as it stands, where the plan and the allowed addresses let it. */
  curl: string
}

const NewKey = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'Use at most 100 characters.')
    .refine(isStorableText, 'The name contains an invalid character.'),
})

const createKey = consoleRoute({
  method: 'POST',
  path: '/console/settings/keys',
  role: 'ADMIN',
  input: NewKey,
  answer: async ({ action, input: { name }, publicUrl }): Promise<CreatedKeyAnswer> => {
    const { id, key } = await runAction(action, createApiKey, { name })
    return { id, name, key, curl: `curl -H 'x-api-key: ${key}' '${publicUrl}/api/quotes?limit=2'` }
  },
})

const revokeKey = consoleRoute({
  method: 'POST',
  path: '/console/settings/keys/:id/revoke',
  role: 'ADMIN',
  input: z.strictObject({}),
  answer: async ({ action, id }) => {
    if (!isPossibleId(id)) throw new ApiError('not_found', { message: 'API key not found.' })
    await runAction(action, revokeApiKey, { id })
    return null
  },
})

const NewList = z.strictObject({
  list: z
    .array(z.string())
    .max(
      NETWORKS_MAX,
      `Enter at most ${NETWORKS_MAX} IP addresses. Combine them into blocks such as 203.0.113.0/24.`,
    ),
  /** The one that was changed. Imports may have stored a longer one. */
  was: z.custom<string[]>(
    (list) =>
      Array.isArray(list) && list.every((entry) => typeof entry === 'string' && isStorableText(entry)),
    'Send the list as it was read.',
  ),
})

const changeAllowedIps = consoleRoute({
  method: 'PUT',
  path: '/console/settings/allowed-ips',
  role: 'ADMIN',
  bodyMaxBytes: 256 * 1024,
  input: NewList,
  answer: async ({ action, input: { list, was } }) => {
    refuseProblems(list)
    await runAction(action, setAllowedIps, { list, was })
    return null
  },
})

function refuseProblems(list: readonly string[]): void {
  const details: FieldErrors = {}
  for (const [i, problem] of describeListProblems(list).entries()) {
    if (problem !== null) details[`list.${i}`] = { _errors: [problem] }
  }
  const [first] = Object.entries(details)
  if (first === undefined) return
  const [field, { _errors }] = first
  throw new ApiError('invalid_body', {
    message: `IP address ${Number(field.slice(5)) + 1}: ${_errors[0]}`,
    details,
  })
}

export const settingsRoutes = [showSettings, createKey, revokeKey, changeAllowedIps]
