/** The quote as PDF, with the figures of the page. */
import type { DocumentFormats } from '../core/document-formats.ts'
import type { Offer, OfferLine } from '../core/quotes/offer.ts'
import { addressLines, contractText, formatsOf } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { readableAccent } from '../core/accent-color.ts'
import { INK, SOFT, body, breakable, heading, longText, row, rule, small } from './pdf-parts.ts'
import type { Pdf } from './pdf-parts.ts'
import { renderPdf } from './pdf.ts'
import type { IsAwaited } from './pdf.ts'
import { termsText } from './quote-sections.ts'

interface QuoteDocument {
  revision: Revision
  offer: Offer
  sha256: string
  acceptance: { name: string; acceptedAt: string } | null
}

export async function renderQuotePdf(quote: QuoteDocument, isAwaited: IsAwaited): Promise<Buffer> {
  const { revision } = quote
  const { seller, number, quoteId, sentAt } = revision
  const title = `Quote ${number ?? quoteId}`
  const parts = { title, locale: seller.locale, author: seller.name, createdAt: new Date(sentAt) }
  return renderPdf(parts, isAwaited, (pdf, pause) => draw(pdf, title, quote, pause))
}

async function draw(
  pdf: Pdf,
  title: string,
  { revision, offer, sha256, acceptance }: QuoteDocument,
  pause: () => Promise<void>,
): Promise<void> {
  const formats = formatsOf(revision)
  const { seller, customer, event, content, expiresAt } = revision
  const accent = readableAccent(seller.accentColor).onLight
  pdf.font('bold').fontSize(13).fillColor(accent).text(breakable(seller.name))
  small(pdf, [seller.legalName ?? seller.name, ...addressLines(seller)].join(' · '))
  small(pdf, [seller.email, seller.phone, seller.taxNumber].filter((part) => part !== null).join(' · '))
  pdf.moveDown(1.5).font('bold').fontSize(20).fillColor(INK).text(breakable(title))
  pdf.font('regular').fontSize(11).fillColor(SOFT)
  pdf.text(breakable([event.type, customer.name].filter((part) => part !== null && part !== '').join(' · ')))
  pdf.text(
    `Sent ${formats.date(revision.sentAt)}${expiresAt === null ? '' : `, valid until ${formats.date(expiresAt)}`}`,
  )
  if (acceptance !== null) {
    heading(pdf, 'Accepted and booked')
    body(pdf, `Signed by ${acceptance.name} on ${formats.dateAndTime(acceptance.acceptedAt)}.`)
    small(pdf, `Document hash (SHA-256): ${sha256}`)
  }
  if (revision.message !== null) {
    pdf.moveDown(1)
    body(pdf, revision.message)
  }
  heading(pdf, 'Your event')
  for (const { serviceStartTime: start, serviceEndTime: end } of content.serviceDays)
    body(pdf, `${formats.day(start)}, ${formats.times(start, end)}`)
  body(pdf, content.eventAddress)
  if (content.guestCount > 0) body(pdf, `${formats.number(content.guestCount)} guests`)
  if (content.eventDescription !== null) body(pdf, content.eventDescription)
  await drawLines(pdf, offer, formats, pause)
  drawTotals(pdf, offer, formats)
  const terms = termsText(revision, formats)
  if (terms !== null) {
    heading(pdf, 'Payment')
    body(pdf, terms)
  }
  if (revision.contract !== null) {
    heading(pdf, revision.contract.name)
    await longText(pdf, contractText(revision, formats.money(offer.totalCents)), pause)
  }
  if (seller.footer === null) return
  pdf.moveDown(1.5)
  small(pdf, seller.footer)
}

/** Only what is selected: the document states one offer with one total. */
async function drawLines(
  pdf: Pdf,
  { days }: Offer,
  formats: DocumentFormats,
  pause: () => Promise<void>,
): Promise<void> {
  heading(pdf, 'Included')
  for (const { start, end, lines } of days) {
    const selected = lines.filter(({ isSelected }) => isSelected)
    if (selected.length === 0) continue
    if (start !== null && end !== null) {
      pdf.moveDown(0.4).font('bold').fontSize(10).fillColor(SOFT)
      pdf.text(`${formats.day(start)}, ${formats.times(start, end)}`)
    }
    for (const line of selected) {
      drawLine(pdf, line, formats)
      await pause()
    }
  }
}

function drawLine(pdf: Pdf, line: OfferLine, { money, number }: DocumentFormats): void {
  const count =
    line.unitPriceCents === null
      ? number(line.quantity)
      : `${number(line.quantity)} × ${money(line.unitPriceCents)}`
  row(pdf, line.name, money(line.netCents))
  const details = [line.details, line.discountName, line.quantity === '1' ? null : count]
  const text = details.filter((part) => part !== null && part !== '').join('\n')
  if (text === '') return
  small(pdf, text)
  pdf.moveDown(0.4)
}

function drawTotals(pdf: Pdf, { figures }: Offer, { money }: DocumentFormats): void {
  rule(pdf)
  for (const { label, cents, weight } of figures)
    row(pdf, label, money(cents), { isBold: weight === 'total' })
}
