/** The profile of the company: members read it, administrators change it. */
import { ApiError } from '../core/requests/errors.ts'
import { runAction } from '../actions/action.ts'
import { CompanyChange, updateCompany } from '../actions/update-company.ts'
import { listDefaults } from '../records/company/defaults.ts'
import type { DefaultChoices } from '../records/company/defaults.ts'
import { findProfile, versionOf } from '../records/company/profile.ts'
import type { CompanyProfile } from '../records/company/profile.ts'
import { consoleRoute } from './route.ts'

export interface CompanyAnswer {
  version: string
  profile: CompanyProfile
  /** Where the logo is, below the public URL; null without one. */
  logoPath: string | null
  /** Choices for the defaults of new quotes. */
  choices: DefaultChoices
}

/** The profile after a change. */
export type CompanyChangeAnswer = Omit<CompanyAnswer, 'choices'>

/** A logo of 512 KiB in base64, and all texts. */
const BODY_MAX_BYTES = 768 * 1024

const showCompany = consoleRoute({
  method: 'GET',
  path: '/console/company',
  answer: async ({ db, companyId }): Promise<CompanyAnswer> => {
    const profile = await findProfile(db, companyId)
    if (profile === null) throw new ApiError('not_found')
    return { ...present(companyId, profile), choices: await listDefaults(db, companyId, profile) }
  },
})

const changeCompany = consoleRoute({
  method: 'PUT',
  path: '/console/settings/company',
  allowed: updateCompany.allowed,
  bodyMaxBytes: BODY_MAX_BYTES,
  input: CompanyChange,
  answer: async ({ action, companyId, input }): Promise<CompanyChangeAnswer> =>
    present(companyId, await runAction(action, updateCompany, input)),
})

function present(companyId: string, profile: CompanyProfile): CompanyChangeAnswer {
  const { logoHash } = profile
  const logoPath = logoHash === null ? null : `logo/${encodeURIComponent(companyId)}/${logoHash}`
  return { version: versionOf(profile), profile, logoPath }
}

export const companyRoutes = [showCompany, changeCompany]
