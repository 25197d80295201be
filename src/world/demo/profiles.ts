/** The profiles of the demo companies, as their customers see them. */
import type { RecordOf } from './records.ts'

export type ProfilePlan = Omit<
  RecordOf<'company'>,
  'object' | 'id' | 'name' | 'plan' | 'currency' | 'allowedIps' | 'createdAt' | 'updatedAt'
>

/** As sanitizing writes it, so that an export has the same bytes. */
const logoOf = (content: string) =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${content}</svg>`).toString('base64')}`

/** A lighthouse above two waves. */
const HARBORLIGHT_LOGO = logoOf(
  '<rect width="64" height="64" rx="14" fill="#14507a"></rect>' +
    '<path d="M28 16h8l4 30H24z" fill="#ffffff"></path><path d="M27 10h10v6H27z" fill="#f2b84b"></path>' +
    '<path d="M8 52q6-6 12 0t12 0 12 0 12 0" fill="none" stroke="#8cc7ec" stroke-width="4" stroke-linecap="round"></path>',
)

/** A house by a river bank. */
const RIVAGE_LOGO = logoOf(
  '<circle cx="32" cy="32" r="32" fill="#7a2e4d"></circle><path d="M16 34 32 18l16 16v6H16z" fill="#ffffff"></path>' +
    '<path d="M14 47h36" stroke="#e6b8c9" stroke-width="4" stroke-linecap="round"></path>',
)

export const DEMO_PROFILES = {
  co_harborlight: {
    legalName: 'Harborlight Events LLC',
    streetAddress: '88 Commercial Street',
    city: 'Brooklyn',
    state: 'NY',
    zip: '11222',
    country: 'US',
    email: 'hello@harborlight.example',
    phone: '+1 718-555-0142',
    taxNumber: '11-0000042',
    website: 'https://harborlight.example',
    timeZone: 'America/New_York',
    locale: 'en-US',
    accentColor: '#14507a',
    logo: HARBORLIGHT_LOGO,
    footer: 'Harborlight Events: bars, booths and catering on the waterfront since 2014.',
    howToPay: 'By bank transfer to Harborlight Events LLC. Please name the invoice number.',
  },
  co_maison_rivage: {
    legalName: 'Maison Rivage SARL',
    streetAddress: '12 quai de la Tournelle',
    city: 'Paris',
    zip: '75005',
    country: 'FR',
    email: 'bonjour@maison-rivage.example',
    phone: '+33 1 555-0143',
    timeZone: 'Europe/Paris',
    locale: 'fr-FR',
    accentColor: '#7a2e4d',
    logo: RIVAGE_LOGO,
  },
} satisfies Record<string, ProfilePlan>
