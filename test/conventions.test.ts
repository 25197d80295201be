/** Conventions for all objects of the newer endpoints, checked with the demo world. */
import { describe, expect, it } from 'vitest'
import { createDemoDatabase } from './support/database.ts'
import { PATHS_IN_TWO, expandQuery } from './support/quotes.ts'
import { startServer } from './support/server.ts'

type JsonObject = Record<string, unknown>

const KEY = 'eqs_demo_harborlight'
const { connection } = await createDemoDatabase()
const server = await startServer(connection)

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** The object and all nested objects. */
function objectsIn(value: unknown): JsonObject[] {
  if (!isObject(value)) return []
  const nested = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? nested : [value, ...nested]
}

async function read(path: string): Promise<JsonObject> {
  const response = await server.get(path, KEY)
  expect(response.status).toBe(200)
  return response.body as JsonObject
}

const plainPage = await read('/api/quotes?limit=100')
const responses = [
  ...(await Promise.all(
    PATHS_IN_TWO.map((paths) => read(`/api/quotes?limit=100&${expandQuery(paths, 'data.')}`)),
  )),
  await read('/api/resources?limit=100'),
]
const objects = responses.flatMap(objectsIn)
const members = objects.flatMap((object) => Object.entries(object))

describe('C1: names', () => {
  it('of query parameters are in snake_case', async () => {
    const { paths } = (await server.call('/api/openapi.json')).body as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>
    }
    const parameters = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => operation.parameters)
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*(\[[a-z]*\])?$/.test(name))).toEqual([])
  })

  it('of members are in camelCase', () => {
    expect(members.length).toBeGreaterThan(10_000)
    expect(members.filter(([name]) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([])
  })
})

it('C2: objects begin with object and id, lists with object', () => {
  const starts = new Set(objects.map((object) => Object.keys(object).slice(0, 2).join()))
  // A currency is a value, not an object with an id.
  expect([...starts].toSorted()).toEqual(['isoCode', 'object,id', 'object,url'])
})

it('C3: amounts are integers, and percentages are numbers', () => {
  const isAmount = /Cents$|^(total|amountPaid|amountDue|amountOff)$/
  const amounts = members.filter(([name, value]) => isAmount.test(name) && value !== null)
  expect(amounts.length).toBeGreaterThan(500)
  expect(amounts.filter(([, value]) => !Number.isSafeInteger(value))).toEqual([])
  const percentages = members.filter(([name]) => ['rate', 'percentOff', 'percentage'].includes(name))
  expect(percentages.some(([, value]) => value === 8.875)).toBe(true)
  expect(percentages.filter(([, value]) => value !== null && typeof value !== 'number')).toEqual([])
})

it('C4: times are in UTC with milliseconds', () => {
  const times = members.filter(([name, value]) => /(At|Time)$|^dueDate$/.test(name) && value !== null)
  expect(times.length).toBeGreaterThan(1000)
  expect(
    times.filter(([, value]) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))),
  ).toEqual([])
})

it('C5: responses have no related objects without expand[]', () => {
  const quotes = plainPage['data'] as JsonObject[]
  const nested = quotes.flatMap((quote) => Object.entries(quote).filter(([, value]) => isObject(value)))
  expect(new Set(nested.map(([name]) => name))).toEqual(new Set(['currency']))
})
