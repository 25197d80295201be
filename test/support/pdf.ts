/** Reads PDF documents. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of all pages without white space: kerning splits words. */
export async function pdfText(bytes: ArrayBuffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const texts: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    for (const item of items) if ('str' in item) texts.push(item.str)
  }
  return texts.join('').replaceAll(/\s+/g, '')
}
