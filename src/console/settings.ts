/** The integrations settings: keys, the addresses they may be used from, and what the plan gives access to. */
import { ADMINS } from '../core/callers.ts'
import type { Plan } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { isPossibleId } from '../core/ids.ts'
import { runAction } from '../actions/action.ts'
import { NewApiKey, createApiKey, revokeApiKey } from '../actions/api-keys.ts'
import { AllowedIps, setAllowedIps } from '../actions/set-allowed-ips.ts'
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
  allowed: ADMINS,
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
  /** A complete command. Works if the plan has access and the address of the caller is allowed. */
  curl: string
}

const createKey = consoleRoute({
  method: 'POST',
  path: '/console/settings/keys',
  allowed: createApiKey.allowed,
  input: NewApiKey,
  answer: async ({ action, input: { name }, publicUrl }): Promise<CreatedKeyAnswer> => {
    const { id, key } = await runAction(action, createApiKey, { name })
    return { id, name, key, curl: `curl -H 'x-api-key: ${key}' '${publicUrl}/api/quotes?limit=2'` }
  },
})

const revokeKey = consoleRoute({
  method: 'POST',
  path: '/console/settings/keys/:id/revoke',
  allowed: revokeApiKey.allowed,
  answer: async ({ action, id }) => {
    if (!isPossibleId(id)) throw new ApiError('not_found', { message: 'API key not found.' })
    await runAction(action, revokeApiKey, { id })
    return null
  },
})

const changeAllowedIps = consoleRoute({
  method: 'PUT',
  path: '/console/settings/allowed-ips',
  allowed: setAllowedIps.allowed,
  bodyMaxBytes: 256 * 1024,
  input: AllowedIps,
  answer: async ({ action, input }) => {
    await runAction(action, setAllowedIps, input)
    return null
  },
})

export const settingsRoutes = [showSettings, createKey, revokeKey, changeAllowedIps]
