/** The quote as PDF, with the figures of the page. */
import type { DocumentFormats } from '../core/document-formats.ts'
import type { Offer, OfferLine } from '../core/quotes/offer.ts'
import { addressLines, contractText, formatsOf } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { readableAccent } from '../core/accent-color.ts'
import { renderPdf } from './pdf.ts'
import { termsText } from './quote-sections.ts'

interface QuoteDocument {
  revision: Revision
  offer: Offer
  sha256: string
  acceptance: { name: string; acceptedAt: string } | null
}

type Pdf = PDFKit.PDFDocument

const SOFT = '#55636f'
const INK = '#1d2733'
const AMOUNT_WIDTH = 110

export async function renderQuotePdf(quote: QuoteDocument): Promise<Buffer> {
  const { revision } = quote
  const { seller, number, quoteId, sentAt } = revision
  const title = `Quote ${number ?? quoteId}`
  const parts = { title, locale: seller.locale, author: seller.name, createdAt: new Date(sentAt) }
  return renderPdf(parts, (pdf) => draw(pdf, title, quote))
}

function draw(pdf: Pdf, title: string, { revision, offer, sha256, acceptance }: QuoteDocument): void {
  const formats = formatsOf(revision)
  const { seller, customer, event, content, expiresAt } = revision
  const accent = readableAccent(seller.accentColor).onLight
  pdf.font('bold').fontSize(13).fillColor(accent).text(seller.name)
  small(pdf, [seller.legalName ?? seller.name, ...addressLines(seller)].join(' · '))
  small(pdf, [seller.email, seller.phone, seller.taxNumber].filter((part) => part !== null).join(' · '))
  pdf.moveDown(1.5).font('bold').fontSize(20).fillColor(INK).text(title)
  pdf.font('regular').fontSize(11).fillColor(SOFT)
  pdf.text([event.type, customer.name].filter((part) => part !== null && part !== '').join(' · '))
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
  drawLines(pdf, offer, formats)
  drawTotals(pdf, offer, formats)
  const terms = termsText(revision, formats)
  if (terms !== null) {
    heading(pdf, 'Payment')
    body(pdf, terms)
  }
  if (revision.contract !== null) {
    heading(pdf, revision.contract.name)
    body(pdf, contractText(revision, formats.money(offer.totalCents)))
  }
  if (seller.footer === null) return
  pdf.moveDown(1.5)
  small(pdf, seller.footer)
}

/** Only what is selected: the document states one offer with one total. */
function drawLines(pdf: Pdf, { days }: Offer, formats: DocumentFormats): void {
  heading(pdf, 'Included')
  for (const { start, end, lines } of days) {
    const selected = lines.filter(({ isSelected }) => isSelected)
    if (selected.length === 0) continue
    if (start !== null && end !== null) {
      pdf.moveDown(0.4).font('bold').fontSize(10).fillColor(SOFT)
      pdf.text(`${formats.day(start)}, ${formats.times(start, end)}`)
    }
    for (const line of selected) drawLine(pdf, line, formats)
  }
}

function drawLine(pdf: Pdf, line: OfferLine, { money, number }: DocumentFormats): void {
  const count =
    line.unitPriceCents === null
      ? number(line.quantity)
      : `${number(line.quantity)} × ${money(line.unitPriceCents)}`
  row(pdf, line.name, money(line.netCents), { isBold: false })
  const details = [line.details, line.discountName, line.quantity === '1' ? null : count]
  const text = details.filter((part) => part !== null && part !== '').join('\n')
  if (text === '') return
  small(pdf, text)
  pdf.moveDown(0.4)
}

function drawTotals(pdf: Pdf, { figures }: Offer, { money }: DocumentFormats): void {
  pdf.moveDown(0.6)
  const { left, right } = pdf.page.margins
  pdf
    .strokeColor(SOFT)
    .lineWidth(0.5)
    .moveTo(left, pdf.y)
    .lineTo(pdf.page.width - right, pdf.y)
    .stroke()
  pdf.moveDown(0.3)
  for (const { label, cents, weight } of figures)
    row(pdf, label, money(cents), { isBold: weight === 'total' })
}

/** A text and an amount at the right margin, never separated by a page break. */
function row(pdf: Pdf, text: string, amount: string, { isBold }: { isBold: boolean }): void {
  const { left, right, bottom } = pdf.page.margins
  const width = pdf.page.width - left - right
  pdf
    .font(isBold ? 'bold' : 'regular')
    .fontSize(isBold ? 12 : 10)
    .fillColor(INK)
  const textWidth = width - AMOUNT_WIDTH - 12
  const height = pdf.heightOfString(text, { width: textWidth })
  if (pdf.y + Math.min(height, 200) > pdf.page.height - bottom) pdf.addPage()
  const top = pdf.y
  pdf.text(amount, left + width - AMOUNT_WIDTH, top, { width: AMOUNT_WIDTH, align: 'right' })
  pdf.text(text, left, top, { width: textWidth })
  pdf.x = left
  pdf.moveDown(0.25)
}

function heading(pdf: Pdf, text: string): void {
  pdf.moveDown(1.2).font('bold').fontSize(12).fillColor(INK).text(text)
  pdf.moveDown(0.3)
}

function body(pdf: Pdf, text: string): void {
  pdf.font('regular').fontSize(10).fillColor(INK).text(text)
}

function small(pdf: Pdf, text: string): void {
  if (text !== '') pdf.font('regular').fontSize(8.5).fillColor(SOFT).text(text)
}
