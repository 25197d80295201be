/**
 * Reads PDF documents, in a separate thread: pdf.js replaces built-in functions such as JSON.stringify with slower ones, which
 * all later test files of the same thread would use.
 */
import { MessageChannel, Worker } from 'node:worker_threads'
import { atEnd } from './at-end.ts'

let reader: Worker | undefined

/** Ends with the test file. */
function startReader(): Worker {
  const started = new Worker(new URL('pdf-reader.js', import.meta.url))
  atEnd(async () => {
    reader = undefined
    await started.terminate()
  })
  return started
}

/** The text of all pages without white space: kerning splits words. */
export async function pdfText(data: ArrayBuffer): Promise<string> {
  reader ??= startReader()
  const { port1, port2 } = new MessageChannel()
  reader.postMessage({ data, port: port2 }, [port2])
  const text = await new Promise<string>((resolve, reject) => {
    port1.once('message', resolve)
    port1.once('close', () => reject(new Error('The reader of PDF documents has ended.')))
  })
  return text.replaceAll(/\s+/g, '')
}
