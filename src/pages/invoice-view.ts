/** Everything that an invoice shows, as text. The page and the PDF draw the same view. */
import { documentFormats } from '../core/document-formats.ts'
import type { DocumentFormats } from '../core/document-formats.ts'
import { isoOrNull } from '../codec/schemas.ts'
import { deriveInvoice } from '../core/pricing/invoice.ts'
import type { InvoiceStatus } from '../core/pricing/invoice.ts'
import { addressLines } from '../core/quotes/revision.ts'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import type { PrintedInvoice } from '../records/invoice/queries.ts'

const STATUS_TEXTS: Record<InvoiceStatus, string> = {
  Void: 'Void',
  Draft: 'Draft',
  Paid: 'Paid',
  Overdue: 'Overdue',
  PartiallyPaid: 'Partially paid',
  Open: 'Open',
}

const STATUS_NOTES: Partial<Record<InvoiceStatus, string>> = {
  Void: 'This invoice has been voided. No payment is due.',
  Draft: 'This is a draft. It has not been issued and may still change.',
}

type Row = [label: string, value: string]

interface LineView {
  description: string
  quantity: string
  /** Empty if the line has none. */
  unitPrice: string
  amount: string
}

export interface InvoiceView {
  locale: string
  title: string
  companyName: string
  number: string
  status: InvoiceStatus
  statusText: string
  note: string | null
  /** Label and amount that stand out. */
  figure: Row
  /** `Due June 1, 2026`. */
  due: string | null
  seller: string[]
  facts: Row[]
  description: string | null
  lines: LineView[]
  hasUnitPrices: boolean
  totals: Row[]
  amountDue: string
  howToPay: string | null
  notes: string | null
  footer: string | null
}

export function viewInvoice(
  invoice: PrintedInvoice,
  { now, acceptLanguage }: { now: string; acceptLanguage: string | undefined },
): InvoiceView {
  const locale = pickLocale(acceptLanguage) ?? invoice.locale ?? 'en'
  const formats = formatsOf(locale, invoice)
  const { totalCents: total, paidCents: amountPaid } = invoice
  const times = timesOf(invoice)
  const { status, amountDue } = deriveInvoice({ total, amountPaid, ...times }, now)
  const isDue = amountDue > 0
  return {
    locale,
    title: `Invoice ${invoice.invoiceNumber} · ${invoice.companyName}`,
    companyName: invoice.companyName,
    number: invoice.invoiceNumber,
    status,
    statusText: STATUS_TEXTS[status],
    note: STATUS_NOTES[status] ?? null,
    figure: isDue ? ['Amount due', formats.money(amountDue)] : ['Total', formats.money(total)],
    due:
      times.dueDate !== null && isDue
        ? `${status === 'Overdue' ? 'Was due' : 'Due'} ${formats.dueDate(times.dueDate)}`
        : null,
    seller: sellerLines(invoice),
    facts: factsOf(invoice, times, formats),
    description: visible(invoice.description),
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: formats.number(line.quantity ?? 1),
      unitPrice: typeof line.unitPriceCents === 'number' ? formats.money(line.unitPriceCents) : '',
      amount: formats.money(line.amountCents),
    })),
    hasUnitPrices: invoice.lines.some(({ unitPriceCents }) => typeof unitPriceCents === 'number'),
    totals: totalsOf(invoice, formats),
    amountDue: formats.money(amountDue),
    howToPay: isDue ? visible(invoice.howToPay) : null,
    notes: visible(invoice.notes),
    footer: visible(invoice.footer),
  }
}

interface Times {
  issuedAt: string | null
  dueDate: string | null
  voidedAt: string | null
}

function timesOf({ issuedAt, dueDate, voidedAt }: PrintedInvoice): Times {
  return { issuedAt: isoOrNull(issuedAt), dueDate: isoOrNull(dueDate), voidedAt: isoOrNull(voidedAt) }
}

function visible(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}

function filled(rows: readonly (readonly [label: string, value: string | null])[]): Row[] {
  return rows.flatMap(([label, value]) => {
    const shown = visible(value)
    return shown === null ? [] : [[label, shown] satisfies Row]
  })
}

function sellerLines(invoice: PrintedInvoice): string[] {
  const { legalName, companyName, email, phone, website, taxNumber } = invoice
  return [
    legalName === companyName ? null : legalName,
    ...addressLines(invoice),
    [phone, email].filter(Boolean).join(' · '),
    website,
    visible(taxNumber) === null ? null : `Tax number ${taxNumber}`,
  ].flatMap((line) => visible(line) ?? [])
}

function factsOf({ billTo, poNumber }: PrintedInvoice, times: Times, { date, dueDate }: Formats): Row[] {
  return filled([
    ['Bill to', billTo],
    ['Issued', times.issuedAt === null ? null : date(times.issuedAt)],
    ['Due', times.dueDate === null ? null : dueDate(times.dueDate)],
    ['Voided', times.voidedAt === null ? null : date(times.voidedAt)],
    ['Purchase order', poNumber],
  ])
}

/** From the lines to the amount due, which follows. */
function totalsOf(invoice: PrintedInvoice, { money, date }: Formats): Row[] {
  const { totalCents, taxCents, discountCents, deductedCents, paidCents, payments } = invoice
  const rows: Row[] = []
  const gross = invoice.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (discountCents + deductedCents > 0) rows.push(['Subtotal', money(gross)])
  if (discountCents > 0) rows.push(['Discount', money(-discountCents)])
  if (deductedCents > 0) rows.push(['Deposit, billed separately', money(-deductedCents)])
  if (taxCents !== null) rows.push(['Net', money(totalCents - taxCents)], ['Tax', money(taxCents)])
  rows.push(['Total', money(totalCents)])
  for (const { amountCents, method, receivedAt } of payments) {
    const how = visible(method)
    const when = date(isoFromPostgres(receivedAt))
    rows.push([`Payment on ${when}${how === null ? '' : `, ${how}`}`, money(amountCents)])
  }
  rows.push(['Paid', money(paidCents)])
  return rows
}

interface Formats extends Pick<DocumentFormats, 'money' | 'date' | 'number'> {
  dueDate: (time: string) => string
}

/** A due date at midnight UTC is an imported date without a time zone. */
const MIDNIGHT = 'T00:00:00.000Z'

function formatsOf(locale: string, { currency, timeZone, dueTimeZone }: PrintedInvoice): Formats {
  const { money, date, number } = documentFormats({ locale, currency, timeZone: timeZone ?? 'UTC' })
  const due = documentFormats({ locale, currency, timeZone: dueTimeZone ?? 'UTC' })
  const utc = documentFormats({ locale, currency, timeZone: 'UTC' })
  return {
    money,
    date,
    number,
    dueDate: (time) => (time.endsWith(MIDNIGHT) ? utc.date(time) : due.date(time)),
  }
}

/** The reader's first language that `Intl` supports, for numbers and dates. Words stay English. */
function pickLocale(acceptLanguage: string | undefined): string | null {
  const wanted = (acceptLanguage ?? '').slice(0, 200).split(',')
  const ranked = wanted
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.split(';').map((piece) => piece.trim())
      return { tag, quality: Number(quality.slice(2)) || 0 }
    })
    .filter(({ tag, quality }) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return ranked.map(({ tag }) => supported(tag)).find((tag) => tag !== null) ?? null
}

function supported(tag: string): string | null {
  try {
    return Intl.NumberFormat.supportedLocalesOf([tag])[0] ?? null
  } catch {
    return null
  }
}
