/** Parts that the PDF documents of customers share. */
export type Pdf = PDFKit.PDFDocument

export const SOFT = '#55636f'
export const INK = '#1d2733'
const AMOUNT_WIDTH = 110
/** Taller texts may break across pages. */
const KEPT_TOGETHER = 200

/** In code points. */
const LONGEST_WORD = 80

/** Words that are longer than a line take quadratic time to break. */
export const breakable = (text: string): string => text.replaceAll(/\S+/gu, broken)

function broken(word: string): string {
  if (word.length <= LONGEST_WORD) return word
  const characters = Array.from(word)
  const parts: string[] = []
  for (let start = 0; start < characters.length; start += LONGEST_WORD)
    parts.push(characters.slice(start, start + LONGEST_WORD).join(''))
  return parts.join(' ')
}

export function heading(pdf: Pdf, text: string): void {
  pdf.moveDown(1.2).font('bold').fontSize(12).fillColor(INK).text(breakable(text))
  pdf.moveDown(0.3)
}

export function body(pdf: Pdf, text: string): void {
  pdf.font('regular').fontSize(10).fillColor(INK).text(breakable(text))
}

/** Paragraph by paragraph, since a contract can be long. */
export async function longText(pdf: Pdf, text: string, pause: () => Promise<void>): Promise<void> {
  for (const paragraph of text.split('\n')) {
    body(pdf, paragraph === '' ? ' ' : paragraph)
    await pause()
  }
}

export function small(pdf: Pdf, text: string): void {
  if (text !== '') pdf.font('regular').fontSize(8.5).fillColor(SOFT).text(breakable(text))
}

export function rule(pdf: Pdf): void {
  const { left, right } = pdf.page.margins
  pdf.moveDown(0.6)
  pdf.strokeColor(SOFT).lineWidth(0.5)
  pdf
    .moveTo(left, pdf.y)
    .lineTo(pdf.page.width - right, pdf.y)
    .stroke()
  pdf.moveDown(0.3)
}

/** A text and an amount at the right margin, never separated by a page break. */
export function row(pdf: Pdf, label: string, amount: string, { isBold = false } = {}): void {
  const text = breakable(label)
  const { left, right, bottom } = pdf.page.margins
  const width = pdf.page.width - left - right
  pdf
    .font(isBold ? 'bold' : 'regular')
    .fontSize(isBold ? 12 : 10)
    .fillColor(INK)
  const textWidth = width - AMOUNT_WIDTH - 12
  const height = pdf.heightOfString(text, { width: textWidth })
  if (pdf.y + Math.min(height, KEPT_TOGETHER) > pdf.page.height - bottom) pdf.addPage()
  const top = pdf.y
  pdf.text(amount, left + width - AMOUNT_WIDTH, top, { width: AMOUNT_WIDTH, align: 'right' })
  pdf.text(text, left, top, { width: textWidth })
  pdf.x = left
  pdf.moveDown(0.25)
}
