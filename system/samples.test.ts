/** The samples of the reference page run as they are shown, with Debian's curl and Python and with this Node. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { startDemo } from './demo.ts'

const demo = await startDemo()
const page = await (await fetch(`${demo.url}/docs`)).text()

/** The text of a piece of HTML. */
function textOf(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '')
}

/** The sample of an operation in a language, as a visitor copies it. */
function sampleOf(operation: string, language: string): string {
  const [, html = ''] =
    new RegExp(`id="${operation}-${language}">.*?<code>(.*?)</code></pre>`, 's').exec(page) ?? []
  return textOf(html)
}

const RUN: Record<string, (code: string) => [string, string[]]> = {
  curl: (code) => ['bash', ['-c', code]],
  JavaScript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
  Python: (code) => ['python3', ['-c', code]],
}

/** Samples that print the same each time: reads, and one write. A deletion, for example, works once. */
const CHANGING = new Set<string>([
  'listTasks',
  'listChanges',
  'listWebhookEndpoints',
  'listWebhookDeliveries',
])
const REPEATABLE = ENDPOINTS.filter(
  ({ method, operation }) => (method === 'GET' && !CHANGING.has(operation)) || operation === 'createTask',
)

describe('the samples of /docs', () => {
  it.each(
    REPEATABLE.flatMap((endpoint) =>
      Object.keys(RUN).map((language) => [endpoint.operation, language, endpoint] as const),
    ),
  )('%s in %s prints the response', async (operation, language, { example }) => {
    const [program, args] = RUN[language]?.(sampleOf(operation, language)) ?? ['false', []]
    const { stdout } = await promisify(execFile)(program, args)
    const [, id = ''] = /(?:bookingId|id)":"([^"]+)"/.exec(JSON.stringify(example.answer)) ?? []
    expect(stdout).toContain(operation === 'createTask' ? 'Confirm the loading dock' : id)
  })
})
