/** Creates a company with its first administrator: by a setup link, or by the operator. */
import { ApiError } from '../core/requests/errors.ts'
import { insertCompany } from '../records/company/create.ts'
import type { NewCompany } from '../records/company/create.ts'
import { hasCompanies } from '../records/company/queries.ts'
import type { NewSession } from '../records/session/queries.ts'
import { endSetupLinks } from '../records/setup-link/queries.ts'
import { createUser } from '../records/user/queries.ts'
import type { NewUser } from '../records/user/queries.ts'
import { defineAction } from './action.ts'
import { usedLink } from './used-link.ts'
import { beginSession } from './sign-in.ts'

interface CompanySetup {
  company: Omit<NewCompany, 'id'>
  user: Omit<NewUser, 'role'> & { id: string }
  /** The link that is used up, and the session that begins; null for an operator, who needs no link. */
  setup: { tokenHash: string; session: NewSession } | null
}

/** The context names the id of the new company, and the new user or the system as the actor. */
export const createCompany = defineAction({
  name: 'createCompany',
  lock: 'last',
  run: async (transaction, { company, user, setup }: CompanySetup) => {
    const { db, companyId, audit } = transaction
    const links = await endSetupLinks(db)
    // A company can also come from an import or from the command line. Then the links are of no use anymore.
    if (setup !== null && (!links.includes(setup.tokenHash) || (await hasCompanies(db)))) throw usedLink()
    await insertCompany(db, { ...company, id: companyId })
    await createUser(db, companyId, { ...user, role: 'ADMIN' })
    const { name, plan, country, currency, timeZone } = company
    audit({
      type: 'company.created',
      subject: { object: 'company', id: companyId, name },
      details: { plan, country, currency, timeZone },
    })
    audit({
      type: 'user.created',
      subject: { object: 'user', id: user.id, name: user.name },
      details: { email: user.email, role: 'ADMIN' },
    })
    if (setup === null) return
    const session = { ...setup.session, userId: user.id, passwordHash: user.passwordHash }
    if (!(await beginSession(transaction, session))) throw new ApiError('server_error')
  },
})
