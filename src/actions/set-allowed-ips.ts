/** Replaces the list of addresses from which the API keys of a company can be used. */
import { ApiError } from '../core/requests/errors.ts'
import { setAllowedIps as replaceList } from '../records/company/allowed-ips.ts'
import { defineAction } from './action.ts'

interface AllowedIps {
  /** Addresses and CIDR blocks. */
  list: readonly string[]
  /** The list that was changed. Refused if the stored list is another one. */
  was: readonly string[]
}

export const setAllowedIps = defineAction({
  name: 'setAllowedIps',
  lock: 'first',
  run: async ({ db, companyId, audit }, { list, was }: AllowedIps) => {
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
