/** Creates a company with its first administrator: by a setup link, or by the operator. */
import { z } from 'zod'
import { VISITORS } from '../core/callers.ts'
import { PLANS } from '../core/enumerations.ts'
import { ApiError } from '../core/requests/errors.ts'
import { insertCompany } from '../records/company/create.ts'
import { hasCompanies } from '../records/company/queries.ts'
import { endSetupLinks } from '../records/setup-link/queries.ts'
import { createUser } from '../records/user/queries.ts'
import { defineAction } from './action.ts'
import { CompanyName, Country, CurrencyCode, Locale, TimeZone } from './company-input.ts'
import { SessionInput, beginSession } from './sign-in.ts'
import { usedLink } from './used-link.ts'
import { EmailAddress, PersonName } from './user-input.ts'

const CompanySetup = z.strictObject({
  company: z.strictObject({
    name: CompanyName,
    plan: z.enum(PLANS),
    country: Country,
    currency: CurrencyCode,
    timeZone: TimeZone,
    locale: Locale.nullable(),
  }),
  user: z.strictObject({ id: z.string(), name: PersonName, email: EmailAddress, passwordHash: z.string() }),
  /** The link that is used up, and the session that begins; null for an operator, who needs no link. */
  setup: z.strictObject({ tokenHash: z.string(), session: SessionInput }).nullable(),
})

/** The context names the id of the new company, and the new user or the system as the actor. */
export const createCompany = defineAction({
  name: 'createCompany',
  allowed: VISITORS,
  input: CompanySetup,
  lock: 'last',
  run: async (transaction, { company, user, setup }) => {
    const { db, companyId, caller, audit } = transaction
    if (setup === null && caller !== 'system') throw usedLink()
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
