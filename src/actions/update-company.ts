/** Changes the profile of the company. A change names the version that it is based on, and is refused if there is a newer one. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ADMINS } from '../core/callers.ts'
import type { MemberChange } from '../core/change-log/activity.ts'
import { ApiError } from '../core/requests/errors.ts'
import { findReferenceError, listReferences } from '../core/requests/references.ts'
import { findProfile, updateProfile, versionOf } from '../records/company/profile.ts'
import type { CompanyProfile, ProfileChanges } from '../records/company/profile.ts'
import { loadReferences } from '../records/reference/queries.ts'
import { defineAction } from './action.ts'
import type { ActionTransaction } from './action.ts'
import { CompanyInput } from './company-input.ts'
import { changedMembers } from './subjects.ts'

export const CompanyChange = z.strictObject({
  version: z.string('Send the version that you loaded.'),
  changes: CompanyInput,
})

const CONFLICT = 'Someone else changed the company profile. Your changes were not saved.'

export const updateCompany = defineAction({
  name: 'updateCompany',
  allowed: ADMINS,
  input: CompanyChange,
  lock: 'first',
  run: async (transaction, { version, changes }): Promise<CompanyProfile> => {
    const { db, companyId, audit } = transaction
    const stored = await load(transaction)
    if (version !== versionOf(stored))
      throw new ApiError('conflict', { message: CONFLICT, details: { version: { _errors: [CONFLICT] } } })
    const changed = findChanges(stored, changes)
    if (changed === null) return stored
    refuseLowerNumbers(stored, changed)
    await checkDefaults(transaction, stored, changed)
    await updateProfile(db, companyId, changed)
    const profile = await load(transaction)
    audit({
      type: 'settings.company_changed',
      subject: { object: 'company', id: companyId, name: profile.name },
      details: { members: describeChanges(stored, changed) },
    })
    return profile
  },
})

async function load({ db, companyId }: ActionTransaction): Promise<CompanyProfile> {
  const profile = await findProfile(db, companyId)
  if (profile === null) throw new Error('the company is missing')
  return profile
}

/** Null if nothing changes. */
function findChanges(stored: CompanyProfile, { logo, ...input }: CompanyInput): ProfileChanges | null {
  const hash = logo == null ? null : createHash('sha256').update(logo).digest('hex')
  const isNewLogo = logo !== undefined && hash !== stored.logoHash
  const changed = changedMembers(stored, input)
  return isNewLogo ? { ...changed, logo } : changed
}

const NUMBERS = [
  ['nextQuoteNumber', 'quotePrefix'],
  ['nextInvoiceNumber', 'invoicePrefix'],
] as const

/** A lower number would be used twice, unless the prefix tells the two apart. */
function refuseLowerNumbers(stored: CompanyProfile, changed: ProfileChanges): void {
  for (const [number, prefix] of NUMBERS) {
    const next = changed[number]
    if (next === undefined || next >= stored[number] || changed[prefix] !== undefined) continue
    throw invalid(
      number,
      `Enter ${stored[number]} or more: lower numbers may be in use. A new prefix can start at any number.`,
    )
  }
}

/** The members that name records, by the names that references have elsewhere. */
const DEFAULTS = {
  taxRateId: 'defaultTaxRateId',
  paymentTermsId: 'defaultPaymentTermsId',
  contractId: 'defaultContractId',
  serviceChargeIds: 'defaultServiceChargeIds',
} as const

async function checkDefaults(
  { db, companyId }: ActionTransaction,
  stored: CompanyProfile,
  changed: ProfileChanges,
): Promise<void> {
  const named = (profile: ProfileChanges) =>
    Object.fromEntries(Object.entries(DEFAULTS).map(([name, own]) => [name, profile[own]]))
  const references = listReferences(named(changed), named(stored))
  const records = await loadReferences(db, companyId, references)
  const error = findReferenceError(references, records, changed.currency ?? stored.currency)
  if (error === null) return
  const name = error.param.replace(/\[\d+\]$/, '') as keyof typeof DEFAULTS
  throw invalid(DEFAULTS[name], `This entry ${error.problem}. Choose another one.`)
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('invalid_body', { message, details: { [`changes.${field}`]: { _errors: [message] } } })
}

/** For the audit log, which has no room for images. */
function describeChanges(stored: CompanyProfile, changed: ProfileChanges): MemberChange[] {
  return Object.entries(changed).map(([name, after]) => {
    if (name === 'logo') {
      const before = stored.logoHash === null ? null : 'an image'
      return { name, before, after: after === null ? null : 'another image' }
    }
    return { name, before: Reflect.get(stored, name) as unknown, after }
  })
}
