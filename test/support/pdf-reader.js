/** The thread of test/support/pdf.ts: receives documents, and returns their texts. */
import { parentPort } from 'node:worker_threads'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** An unreadable document ends the thread with an error. */
async function answer({ data, port }) {
  const document = await getDocument({ data, verbosity: 0 }).promise
  let text = ''
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    for (const item of items) if ('str' in item) text += item.str
  }
  port.postMessage(text)
  port.close()
}

parentPort.on('message', (message) => void answer(message))
