/** Values of a record in words: for lists, pages and comparisons. */
import { packageLineDetails, packageLineTexts } from '../../../src/core/package-lines.ts'
import type { PackageChoice } from '../../../src/core/quotes/quote-choices.ts'
import type { StoredRecord } from '../../../src/console/records.ts'
import { formatAddress, formatMoney, formatNumber, formatPercent } from '../format.ts'
import { SCHEDULE_WORDS } from '../quotes/words.ts'
import { UNIT_WORDS } from './catalog-views.ts'
import type { Field } from './kind-view.ts'
import { currencyIn } from './values.ts'

interface Price {
  currency: string
  unitPriceCents: number
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const percent = (value: unknown) => formatPercent(Number(value))

/** `$125.00 per hour`, once for each currency. */
export function priceTexts(record: StoredRecord): string[] {
  const unit = UNIT_WORDS[text(record['unit'])] ?? ''
  return (record['prices'] as Price[]).map(
    ({ currency, unitPriceCents }) => `${formatMoney(unitPriceCents, currency)} ${unit}`,
  )
}

const linesOf = (record: StoredRecord) => record as unknown as Pick<PackageChoice, 'lines' | 'items'>

/** `2 × Oat milk ($5.00, optional, not selected)` for each line of a package. */
export function lineTexts(record: StoredRecord, companyCurrency: string): string[] {
  const { lines, items } = linesOf(record)
  const currency = currencyIn(record, companyCurrency)
  const amount = (cents: number) => formatMoney(cents, currency)
  return packageLineDetails(lines, items, { amount, quantity: formatNumber })
}

/** The percentage or amount of a discount, charge, tax rate or deposit. */
function valueText(record: StoredRecord, companyCurrency: string): string {
  const { percentOff, percentage, rate, amountOff, amountCents, paymentSchedule } = record
  const share = percentOff ?? percentage ?? rate
  if (share !== undefined && share !== null) return percent(share)
  const amount = amountOff ?? amountCents
  if (typeof amount === 'number') return formatMoney(amount, currencyIn(record, companyCurrency))
  return paymentText(record, text(paymentSchedule), companyCurrency)
}

function paymentText(record: StoredRecord, schedule: string, currency: string): string {
  const words = SCHEDULE_WORDS[schedule as keyof typeof SCHEDULE_WORDS] ?? ''
  const { depositPercentage, depositAmountCents } = record
  if (typeof depositPercentage === 'string') return `${words}, ${percent(depositPercentage)}`
  if (typeof depositAmountCents === 'number') return `${words}, ${formatMoney(depositAmountCents, currency)}`
  return words
}

interface Cell {
  label: string
  text: (record: StoredRecord, companyCurrency: string) => string
}

const plain = (label: string, name: string): Cell => ({ label, text: (record) => text(record[name]) })

/** The columns of lists, by the names in the views. */
export const CELLS: Readonly<Record<string, Cell>> = {
  companyName: plain('Company', 'companyName'),
  email: plain('Email', 'email'),
  phone: plain('Phone', 'phone'),
  description: plain('Description', 'description'),
  category: plain('Category', 'category'),
  locationName: plain('Location', 'locationName'),
  role: plain('Role', 'role'),
  status: {
    label: 'Status',
    text: ({ status }) => (text(status).toLowerCase() === 'active' ? 'Active' : 'Inactive'),
  },
  prices: {
    label: 'Price',
    text: (record) => {
      const [first = '', ...more] = priceTexts(record)
      return more.length === 0 ? first : `${first}, ${more.length} more`
    },
  },
  lines: {
    label: 'Lines',
    text: (record) => {
      const { lines, items } = linesOf(record)
      return packageLineTexts(lines, items, formatNumber).join(', ')
    },
  },
  value: { label: 'Value', text: valueText },
  taxable: { label: 'Taxable', text: ({ taxable }) => (taxable === true ? 'Yes' : 'No') },
  invoiceDueDays: {
    label: 'Due after',
    text: ({ invoiceDueDays: days }) => `${formatNumber(Number(days))} days`,
  },
  address: {
    label: 'Address',
    text: (record) => formatAddress(record as unknown as Parameters<typeof formatAddress>[0]),
  },
  timeZone: { label: 'Time zone', text: ({ timeZone }) => text(timeZone).replaceAll('_', ' ') },
}

/** The value of a field in words; empty without a value. */
export function fieldText(field: Field, record: StoredRecord, companyCurrency: string): string {
  const { name, type, options = [] } = field
  const value = record[name]
  if (value === null || value === undefined || value === '') return ''
  if (type === 'prices')
    return (value as Price[]).map((one) => formatMoney(one.unitPriceCents, one.currency)).join(', ')
  if (type === 'lines') return lineTexts(record, companyCurrency).join('\n')
  if (type === 'checkbox') return value === true ? 'Yes' : 'No'
  if (type === 'percent') return percent(value)
  if (type === 'money') return formatMoney(value as number, currencyIn(record, companyCurrency))
  if (type === 'location') return text(record['locationName']) || text(value)
  if (type === 'timeZone') return text(value).replaceAll('_', ' ')
  if (typeof value === 'number') return formatNumber(value)
  return options.find(([one]) => one === value)?.[1] ?? text(value)
}
