/** Replaces the list of addresses from which the API keys of a company can be used. */
import { z } from 'zod'
import { ADMINS } from '../core/callers.ts'
import { isStorableText } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { FieldErrors } from '../core/requests/errors.ts'
import { NETWORKS_MAX, describeListProblems } from '../core/security/network.ts'
import { setAllowedIps as replaceList } from '../records/company/allowed-ips.ts'
import { defineAction } from './action.ts'

export const AllowedIps = z.strictObject({
  /** Addresses and CIDR blocks. */
  list: z
    .array(z.string())
    .max(
      NETWORKS_MAX,
      `Enter at most ${NETWORKS_MAX} IP addresses. Combine them into blocks such as 203.0.113.0/24.`,
    ),
  /** The list that was changed. Refused if the stored list is another one. Imports may have stored a longer one. */
  was: z.custom<string[]>(
    (list) =>
      Array.isArray(list) && list.every((entry) => typeof entry === 'string' && isStorableText(entry)),
    'Send the list as it was read.',
  ),
})

export const setAllowedIps = defineAction({
  name: 'setAllowedIps',
  allowed: ADMINS,
  input: AllowedIps,
  lock: 'first',
  run: async ({ db, companyId, audit }, { list, was }) => {
    refuseProblems(list)
    if (!(await replaceList(db, companyId, list, was))) {
      const message = 'Someone else changed this list. Load the current list and try again.'
      throw new ApiError('conflict', { message })
    }
    const details = {
      added: list.filter((entry) => !was.includes(entry)),
      removed: was.filter((entry) => !list.includes(entry)),
    }
    const subject = { object: 'company', id: companyId, name: null }
    if (details.added.length + details.removed.length > 0)
      audit({ type: 'settings.allowed_ips_changed', subject, details })
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
