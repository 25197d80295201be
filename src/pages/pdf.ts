/** PDF documents with our own fonts. */
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
// The type declarations know only the default export.
// oxlint-disable-next-line import/no-named-as-default
import PDFDocument from 'pdfkit'

const MARGIN = 48
const require = createRequire(import.meta.url)

/** Read once: the same bytes are used for every document. */
let fonts: Promise<{ regular: Buffer; bold: Buffer }> | undefined

async function readFonts(): Promise<{ regular: Buffer; bold: Buffer }> {
  const [regular, bold] = await Promise.all(
    ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map((file) =>
      readFile(require.resolve(`@expo-google-fonts/inter/${file}`)),
    ),
  )
  if (regular === undefined || bold === undefined) throw new Error('the fonts of PDF documents are missing')
  return { regular, bold }
}

interface PdfParts {
  title: string
  /** BCP 47. */
  locale: string
  /** Shown in the properties of the document. */
  author: string
  createdAt: Date
}

/** `draw` uses the fonts `regular` and `bold`. */
export async function renderPdf(
  { title, locale, author, createdAt }: PdfParts,
  draw: (document: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  const { regular, bold } = await (fonts ??= readFonts())
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: locale,
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt },
  })
  const chunks: Buffer[] = []
  const isComplete = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', resolve)
    document.on('error', reject)
  })
  document.registerFont('regular', regular)
  document.registerFont('bold', bold)
  document.font('regular').fontSize(10)
  draw(document)
  document.end()
  await isComplete
  return Buffer.concat(chunks)
}
