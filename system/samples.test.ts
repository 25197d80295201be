/** Runs the samples of the reference page unchanged, with curl, Python and Node. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/api/endpoint.ts'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { startDemo } from './demo.ts'

/** The text of a piece of HTML. */
function textOf(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '')
}

/** The sample of an operation in a language, as text. */
function sampleOf(page: string, operation: string, language: string): string {
  const [, html = ''] =
    new RegExp(`id="${operation}-${language}">.*?<code>(.*?)</code></pre>`, 's').exec(page) ?? []
  return textOf(html)
}

const RUN: Record<string, (code: string) => [string, string[]]> = {
  curl: (code) => ['bash', ['-c', code]],
  JavaScript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  Python: (code) => ['python3', ['-c', code]],
}

/** Reads come first, so that they show the original demo world. Then writes, their changes, and the link of a sent quote. */
const AFTER_WRITES = new Set(['listChanges', 'getQuoteLink'])
const orderOf = ({ method, operation }: Endpoint) =>
  AFTER_WRITES.has(operation) ? 2 : Number(method !== 'GET')
const inOrder = ENDPOINTS.toSorted((a, b) => orderOf(a) - orderOf(b))

/** A stable text of the response */
function expectedText({ operation, method, example }: Endpoint): string {
  if (operation === 'listChanges') return 'task.completed'
  if (method === 'POST' && example.id === undefined) {
    return String(Object.values(example.body ?? {}).find((value) => typeof value === 'string'))
  }
  return /(?:bookingId|quoteId|id)":"([^"]+)"/.exec(JSON.stringify(example.answer))?.[1] ?? ''
}

/** Each language uses a separate demo world, because a task can be deleted only once. */
describe.each(Object.entries(RUN))('the samples of /docs in %s', (language, run) => {
  let page = ''
  beforeAll(async () => {
    const demo = await startDemo()
    page = await (await fetch(`${demo.url}/docs`)).text()
  })

  it.each(inOrder.map((endpoint) => [endpoint.operation, endpoint] as const))(
    '%s prints the response',
    async (operation, endpoint) => {
      const [program, args] = run(sampleOf(page, operation, language))
      const { stdout } = await promisify(execFile)(program, args)
      expect(stdout).toContain(expectedText(endpoint))
      expect(expectedText(endpoint)).not.toBe('')
    },
  )
})
