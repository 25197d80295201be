/** The invoice as PDF, with the texts and figures of the page. */
import { readableAccent } from '../core/accent-color.ts'
import { storedLogo } from '../core/images/logo.ts'
import type { InvoiceView } from './invoice-view.ts'
import { INK, SOFT, body, breakable, heading, longText, row, rule, small } from './pdf-parts.ts'
import type { Pdf } from './pdf-parts.ts'
import { renderPdf } from './pdf.ts'
import type { IsAwaited } from './pdf.ts'

const LOGO_SIZE: [width: number, height: number] = [150, 44]

/** `logo` is a data URL. */
export async function drawInvoice(
  view: InvoiceView,
  accentColor: string | null,
  logo: string | null,
  isAwaited: IsAwaited,
): Promise<Buffer> {
  const { title, locale, companyName: author } = view
  return renderPdf({ title, locale, author, createdAt: new Date() }, isAwaited, async (pdf, pause) => {
    drawLogo(pdf, logo)
    pdf
      .font('bold')
      .fontSize(13)
      .fillColor(readableAccent(accentColor).onLight)
      .text(breakable(view.companyName))
    for (const line of view.seller) small(pdf, line)
    pdf
      .moveDown(1.5)
      .font('bold')
      .fontSize(20)
      .fillColor(INK)
      .text(breakable(`Invoice ${view.number}`))
    pdf.font('regular').fontSize(11).fillColor(SOFT).text(view.statusText)
    if (view.note !== null) body(pdf, view.note)
    pdf.moveDown(0.8)
    for (const [label, value] of view.facts) body(pdf, `${label}: ${value}`)
    if (view.description !== null) {
      pdf.moveDown(0.8)
      body(pdf, view.description)
    }
    await drawLines(pdf, view, pause)
    rule(pdf)
    for (const [label, value] of view.totals) {
      row(pdf, label, value)
      await pause()
    }
    row(pdf, 'Amount due', view.amountDue, { isBold: true })
    if (view.howToPay !== null) {
      heading(pdf, 'How to pay')
      await longText(pdf, view.howToPay, pause)
    }
    if (view.notes !== null) {
      heading(pdf, 'Notes')
      await longText(pdf, view.notes, pause)
    }
    if (view.footer !== null) {
      pdf.moveDown(1.5)
      small(pdf, view.footer)
    }
  })
}

/** PDF has no SVG images. */
function drawLogo(pdf: Pdf, logo: string | null): void {
  if (logo === null) return
  const { type, bytes } = storedLogo(logo)
  if (type === 'image/svg+xml') return
  const { x, y } = pdf
  pdf.image(bytes, x, y, { fit: LOGO_SIZE })
  pdf.y = y + LOGO_SIZE[1] + 8
}

async function drawLines(pdf: Pdf, { lines }: InvoiceView, pause: () => Promise<void>): Promise<void> {
  if (lines.length > 0) heading(pdf, 'Items')
  for (const { description, quantity, unitPrice, amount } of lines) {
    const [name = '', ...details] = description.split('\n')
    const count = unitPrice === '' ? quantity : `${quantity} × ${unitPrice}`
    row(pdf, name, amount)
    small(pdf, [...details, ...(count === '1' ? [] : [count])].join('\n'))
    pdf.moveDown(0.4)
    await pause()
  }
}
