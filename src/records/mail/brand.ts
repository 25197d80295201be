/** The company as its messages show it. */
import type { MailBrand } from '../../core/mail/content.ts'
import type { CompanyProfile } from '../company/profile.ts'

const join = (...parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(', ')

export function brandOf(profile: CompanyProfile): MailBrand {
  const { name, legalName, streetAddress, city, state, zip, email, phone, website, accentColor } = profile
  const lines = [
    legalName === name ? '' : (legalName ?? ''),
    join(streetAddress, join(zip, city).replace(', ', ' ') || null, state),
    join(email, phone, website),
  ]
  return { name, accentColor, footer: lines.filter((line) => line !== '') }
}
