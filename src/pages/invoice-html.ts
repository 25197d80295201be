/** The invoice as HTML: a pure function of the invoice, the current time and the reader's languages. */
import { decimalAmount, minorDigits } from '../core/pricing/currencies.ts'
import { isoFromPostgres } from '../core/schedule/datetime.ts'
import { deriveInvoice } from '../core/pricing/invoice.ts'
import type { InvoiceStatus } from '../core/pricing/invoice.ts'
import type { PrintedInvoice } from '../records/invoice/queries.ts'
import { escapeHtml, pageOf } from './page-html.ts'

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

/** This many characters fit in large type on a phone. */
const FIGURE_SHORT = 14

interface Formats {
  /** As HTML. */
  money: (cents: number) => string
  /** As text. */
  date: (time: string) => string
  /** As HTML. */
  quantity: (quantity: number) => string
}

export function renderInvoice(
  invoice: PrintedInvoice,
  { now, acceptLanguage, style }: { now: string; acceptLanguage: string | undefined; style: string },
): string {
  const locale = pickLocale(acceptLanguage)
  const formats = formatsOf(locale, invoice.currency)
  const { totalCents: total, paidCents: amountPaid } = invoice
  const [issuedAt, dueDate, voidedAt] = [invoice.issuedAt, invoice.dueDate, invoice.voidedAt].map((time) =>
    time === null ? null : isoFromPostgres(time),
  ) as [string | null, string | null, string | null]
  const { status, amountDue } = deriveInvoice({ total, amountPaid, issuedAt, dueDate, voidedAt }, now)
  const figure = formats.money(amountDue === 0 ? total : amountDue)
  const body = `<main class="sheet ${status.toLowerCase()}">
<header>
<div><p class="company">${escapeHtml(invoice.companyName)}</p><h1>Invoice <bdi>${escapeHtml(invoice.invoiceNumber)}</bdi></h1></div>
<p class="status">${STATUS_TEXTS[status]}</p>
</header>
${note(STATUS_NOTES[status])}
<section class="summary">
<div class="amount"><p class="label">${amountDue === 0 ? 'Total' : 'Amount due'}</p>
<p class="figure${figure.length > FIGURE_SHORT ? ' long' : ''}">${figure}</p>
${dueDate !== null && amountDue > 0 ? `<p class="due">${status === 'Overdue' ? 'Was due' : 'Due'} ${escapeHtml(formats.date(dueDate))}</p>` : ''}</div>
<dl>${facts(invoice, { issuedAt, dueDate, voidedAt }, formats)}</dl>
</section>
${isBlank(invoice.description) ? '' : `<p class="text">${escapeHtml(invoice.description)}</p>`}
${lineTable(invoice.lines, formats)}
<table class="totals"><tbody>
<tr><th scope="row">Total</th><td>${formats.money(total)}</td></tr>
<tr><th scope="row">Paid</th><td>${formats.money(amountPaid)}</td></tr>
<tr class="due"><th scope="row">Amount due</th><td>${formats.money(amountDue)}</td></tr>
</tbody></table>
${isBlank(invoice.notes) ? '' : `<section class="notes"><h2>Notes</h2><p class="text">${escapeHtml(invoice.notes)}</p></section>`}
</main>`
  const title = `Invoice ${invoice.invoiceNumber} · ${invoice.companyName}`
  return pageOf({ locale, title, body, style })
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === ''
}

function note(text: string | undefined): string {
  return text === undefined ? '' : `<p class="note">${text}</p>`
}

function facts(
  { billTo, poNumber }: PrintedInvoice,
  times: { issuedAt: string | null; dueDate: string | null; voidedAt: string | null },
  { date }: Formats,
): string {
  const rows: [label: string, value: string | null][] = [
    ['Bill to', billTo],
    ['Issued', times.issuedAt === null ? null : date(times.issuedAt)],
    ['Due', times.dueDate === null ? null : date(times.dueDate)],
    ['Voided', times.voidedAt === null ? null : date(times.voidedAt)],
    ['Purchase order', poNumber],
  ]
  return rows
    .filter(([, value]) => !isBlank(value))
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${escapeHtml(value ?? '')}</dd></div>`)
    .join('')
}

function lineTable(lines: PrintedInvoice['lines'], { money, quantity }: Formats): string {
  if (lines.length === 0) return ''
  const rows = lines.map(
    (line) =>
      `<tr><td>${escapeHtml(line.description)}</td><td class="number quantity">${quantity(line.quantity ?? 1)}</td><td class="number">${money(line.amountCents)}</td></tr>`,
  )
  return `<table class="lines"><thead><tr><th scope="col">Description</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`
}

function formatsOf(locale: string, currency: string): Formats {
  const digits = minorDigits(currency)
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Always the Gregorian calendar, as in the invoice's texts. In Thai or Persian the year would differ.
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' })
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
  return {
    // A string is formatted exactly, digit by digit. The type declarations do not allow it yet.
    money: (cents) => escapeHtml(money.format(decimalAmount(cents, currency) as unknown as number)),
    date: (time) => date.format(new Date(time)),
    quantity: (value) => escapeHtml(quantity.format(value)),
  }
}

/** The reader's first language that `Intl` supports, for numbers and dates. Words stay English. */
function pickLocale(acceptLanguage: string | undefined): string {
  const wanted = (acceptLanguage ?? '').slice(0, 200).split(',')
  const ranked = wanted
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.split(';').map((piece) => piece.trim())
      return { tag, quality: Number(quality.slice(2)) || 0 }
    })
    .filter(({ tag, quality }) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return ranked.map(({ tag }) => supported(tag)).find((tag) => tag !== null) ?? 'en'
}

function supported(tag: string): string | null {
  try {
    return Intl.NumberFormat.supportedLocalesOf([tag])[0] ?? null
  } catch {
    return null
  }
}
