/** PDF documents with our own fonts. */
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { createAdmission } from '../http/admission.ts'

const MARGIN = 48
const require = createRequire(import.meta.url)

/** Read once: the same bytes are used for every document. */
let fonts: Promise<{ regular: Buffer; bold: Buffer }> | undefined

async function readFonts(): Promise<{ regular: Buffer; bold: Buffer }> {
  const [regular, bold] = await Promise.all(
    [
      require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
      require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
    ].map((file) => readFile(file)),
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

/** A document with a thousand lines takes a second, so one is drawn at a time. Those that would wait too long are refused. */
const drawing = createAdmission(1)

/** False once the client has gone. */
export type IsAwaited = () => boolean

/**
 * `draw` uses the fonts `regular` and `bold`, and calls `pause` after each line, so that other requests get on. A document whose
 * client has disconnected is empty.
 */
export async function renderPdf(
  parts: PdfParts,
  isAwaited: IsAwaited,
  draw: (document: PDFKit.PDFDocument, pause: () => Promise<void>) => Promise<void>,
): Promise<Buffer> {
  return drawing.run(async () => (isAwaited() ? drawPdf(parts, draw) : Buffer.alloc(0)))
}

async function drawPdf(
  { title, locale, author, createdAt }: PdfParts,
  draw: Parameters<typeof renderPdf>[2],
): Promise<Buffer> {
  const { regular, bold } = await (fonts ??= readFonts())
  // Loaded when needed: it takes 15 MB, and many processes never draw a document.
  const { default: PDFDocument } = await import('pdfkit')
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
  await draw(document, nextIteration)
  document.end()
  await isComplete
  return Buffer.concat(chunks)
}
