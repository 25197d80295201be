/** The company as its messages show it. */
import type { MailBrand } from '../../core/mail/content.ts'
import { addressLines } from '../../core/quotes/revision.ts'
import type { CompanyProfile } from '../company/profile.ts'

export function brandOf(profile: CompanyProfile): MailBrand {
  const { name, legalName, email, phone, website, accentColor } = profile
  const lines = [
    legalName === name ? '' : (legalName ?? ''),
    addressLines(profile).join(', '),
    [email, phone, website].filter((part) => part !== null).join(', '),
  ]
  return { name, accentColor, footer: lines.filter((line) => line !== '') }
}
