/** The columns of a CSV file that can be imported, and which header means which. */
import { isCurrencyCode } from './pricing/currencies.ts'
import type { ImportPath } from './record-kinds.ts'

export interface ImportTarget {
  name: string
  label: string
  /** Headers that mean it, as `plainHeader` writes them. */
  headers: readonly string[]
}

const NAME_PARTS: ImportTarget[] = [
  { name: 'firstName', label: 'First name', headers: ['firstname', 'givenname', 'vorname', 'prenom'] },
  {
    name: 'lastName',
    label: 'Last name',
    headers: ['lastname', 'surname', 'familyname', 'nachname', 'nom'],
  },
  { name: 'name', label: 'Full name', headers: ['name', 'fullname', 'contact', 'contactname', 'customer'] },
]

const ITEM: ImportTarget[] = [
  { name: 'name', label: 'Name', headers: ['name', 'service', 'addon', 'item', 'title', 'product'] },
  { name: 'description', label: 'Description', headers: ['description', 'details', 'text'] },
  { name: 'price', label: 'Price', headers: ['price', 'unitprice', 'rate', 'cost', 'amount'] },
  { name: 'unit', label: 'Unit', headers: ['unit', 'per', 'pricingunit', 'priceunit'] },
  { name: 'taxable', label: 'Taxable', headers: ['taxable', 'tax', 'taxed'] },
  { name: 'imageUrl', label: 'Image URL', headers: ['imageurl', 'image', 'picture', 'photo'] },
]

export const IMPORT_TARGETS: Record<ImportPath, readonly ImportTarget[]> = {
  contacts: [
    ...NAME_PARTS,
    {
      name: 'companyName',
      label: 'Company',
      headers: ['company', 'companyname', 'organization', 'business'],
    },
    { name: 'email', label: 'Email', headers: ['email', 'emailaddress', 'mail'] },
    {
      name: 'phone',
      label: 'Phone',
      headers: ['phone', 'phonenumber', 'telephone', 'tel', 'mobile', 'cell'],
    },
    { name: 'notes', label: 'Notes', headers: ['notes', 'note', 'comment', 'comments'] },
  ],
  services: ITEM,
  addons: ITEM,
}

/** A price in a currency other than that of the company: `price:EUR`. */
const PRICE_IN = /^price:([A-Z]{3})$/

export function currencyOfTarget(name: string): string | null {
  const [, code] = PRICE_IN.exec(name) ?? []
  return code !== undefined && isCurrencyCode(code) ? code : null
}

export const isImportTarget = (path: ImportPath, name: string) =>
  IMPORT_TARGETS[path].some((target) => target.name === name) ||
  (path !== 'contacts' && currencyOfTarget(name) !== null)

const plainHeader = (header: string) => header.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** By target: the number of the column. */
export type ImportMapping = Record<string, number>

export function guessMapping(
  path: ImportPath,
  headers: readonly string[],
  companyCurrency: string,
): ImportMapping {
  const mapping: ImportMapping = {}
  for (const [i, header] of headers.entries()) {
    const name = findTarget(path, header, companyCurrency)
    if (name !== undefined) mapping[name] ??= i
  }
  // A full name adds nothing to its parts.
  if (path === 'contacts' && 'firstName' in mapping && 'lastName' in mapping) delete mapping['name']
  return mapping
}

/** The target that a header means. */
function findTarget(path: ImportPath, header: string, companyCurrency: string): string | undefined {
  const [, code = ''] = /^(?:unit ?)?price[^a-z]*([a-z]{3})[^a-z]*$/i.exec(header.trim()) ?? []
  const price = `price:${code.toUpperCase()}`
  const currency = path === 'contacts' ? null : currencyOfTarget(price)
  if (currency !== null) return currency === companyCurrency ? 'price' : price
  return IMPORT_TARGETS[path].find(({ headers }) => headers.includes(plainHeader(header)))?.name
}
