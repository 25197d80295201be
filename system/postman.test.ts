/** newman runs the Postman collection, and Postman's import of the OpenAPI document, on the demo world. */
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { startDemo } from './demo.ts'

interface Execution {
  item: { name: string }
  response?: { code: number; text: () => string }
  assertions?: { assertion: string; error?: Error }[]
}

type Run = (
  options: { collection: object; envVar?: { key: string; value: string }[]; reporters: string[] },
  done: (error: Error | null, summary: { run: { executions: Execution[] } }) => void,
) => void

type Convert = (
  input: { type: 'json'; data: object },
  options: Record<string, string>,
  done: (error: Error | null, result: { result: boolean; output: { data: object }[] }) => void,
) => void

/** These packages have no types and are installed separately from the service. */
const load = createRequire(new URL('./clients/package.json', import.meta.url))
const { run } = load('newman') as { run: Run }
const { convert, convertV2 } = load('openapi-to-postmanv2') as { convert: Convert; convertV2: Convert }

type Demo = Awaited<ReturnType<typeof startDemo>>
const fetchJson = async (demo: Demo, path: string) => (await (await fetch(demo.url + path)).json()) as object

/** Whether every request of a collection returns 2xx with data. */
async function expectData(demo: Demo, collection: object): Promise<Execution[]> {
  const envVar = [{ key: 'apiKey', value: demo.key }]
  const { run: result } = await promisify(run)({ collection, envVar, reporters: [] })
  const outcomes = result.executions.map(({ item, response }) => ({
    name: item.name,
    isSuccess: response !== undefined && response.code >= 200 && response.code < 300,
    hasData: hasData(JSON.parse(response?.text() ?? 'null')),
  }))
  const expected = ENDPOINTS.map(({ summary }) => ({ name: summary, isSuccess: true, hasData: true }))
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  expect(outcomes.toSorted(byName)).toEqual(expected.toSorted(byName))
  return result.executions
}

function hasData(body: unknown): boolean {
  const isList = typeof body === 'object' && body !== null && 'data' in body
  return Object.keys((isList ? body.data : body) ?? {}).length > 0
}

/** Each run uses a new demo world, because a task can be deleted only once. */
describe('Postman', () => {
  it('runs the collection of /docs: every request returns 2xx with data and passes its test', async () => {
    const demo = await startDemo()
    const executions = await expectData(demo, await fetchJson(demo, '/docs/postman.json'))
    for (const { assertions = [] } of executions) {
      expect(assertions.map(({ error }) => error?.message)).toEqual([undefined])
    }
  })

  it.each<[string, Convert, Record<string, string>]>([
    ['import', convertV2, { parametersResolution: 'Example' }],
    ['earlier import', convert, { requestParametersResolution: 'Example' }],
  ])(
    'runs its %s of the OpenAPI document with all examples: every request returns 2xx with data',
    async (_, importer, options) => {
      const demo = await startDemo()
      const input = { type: 'json' as const, data: await fetchJson(demo, '/api/openapi.json') }
      const { output } = await promisify(importer)(input, options)
      await expectData(demo, output[0]?.data ?? {})
    },
  )
})
