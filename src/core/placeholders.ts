/** About twenty pages. */
export const CONTRACT_TEXT_MAX = 50_000

/** Placeholders in the text of a contract, which the values of a quote replace. */
export const PLACEHOLDERS = {
  'customer.name': 'Name of the customer',
  'customer.company': 'Company of the customer',
  'customer.email': 'Email address of the customer',
  'customer.phone': 'Phone number of the customer',
  'quote.number': 'Number of the quote',
  'quote.total': 'Total of the quote',
  'quote.expires': 'Last day the quote is valid',
  'event.type': 'Event type',
  'event.date': 'First day of the event',
  'event.dates': 'All days of the event',
  'event.address': 'Address of the event',
  'event.guests': 'Number of guests',
  'company.name': 'Name of your company',
  'company.address': 'Address of your company',
  'payment.terms': 'Name of the payment terms',
  today: 'Day the contract is shown',
} as const

const PLACEHOLDER = /\{\{([^{}]{0,40})\}\}/g

/** As they stand in the text, each once. */
export function findUnknownPlaceholders(text: string): string[] {
  const unknown = [...text.matchAll(PLACEHOLDER)].filter(
    ([, name = '']) => !Object.hasOwn(PLACEHOLDERS, name.trim()),
  )
  return [...new Set(unknown.map(([found]) => found))]
}

/** Placeholders without a value stay as they are. */
export function fillPlaceholders(
  text: string,
  values: Partial<Record<keyof typeof PLACEHOLDERS, string>>,
): string {
  return text.replaceAll(PLACEHOLDER, (found, name: string) => {
    const key = name.trim()
    return Object.hasOwn(values, key) ? (values[key as keyof typeof values] ?? found) : found
  })
}
