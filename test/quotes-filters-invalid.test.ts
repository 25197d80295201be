import { describe, expect, it } from 'vitest'
import { KEY, rejection } from './support/quotes.ts'
import { DATES, OPERATORS, createFilterApi } from './support/quotes-filters.ts'

const { listRaw } = await createFilterApi()

const BAD_DATE_TIMES = [
  '',
  ' ',
  'now',
  '2026-05-01',
  '20260501T093000Z',
  '2026-05-01T09:30:00',
  '2026-05-01T09:30:00.123',
  '2026-05-01 09:30:00Z',
  '2026-05-01t09:30:00Z',
  '2026-05-01T09:30:00z',
  '2026-05-01T09Z',
  '2026-05-01T9:30Z',
  '2026-5-1T09:30:00Z',
  '2026-05-01T09:30:00.Z',
  '2026-05-01T09:30:00,5Z',
  '2026-05-01T09:30:00.1234567890Z',
  '2026-05-01T09:30:00+02',
  '2026-05-01T09:30:00+0200',
  '2026-05-01T09:30:00+2:00',
  '2026-05-01T09:30:00+24:00',
  '2026-05-01T09:30:00+02:60',
  '2026-05-01T09:30:00\u221202:00',
  '2026-05-01T09:30:00 Z',
  ' 2026-05-01T09:30:00Z',
  '2026-05-01T09:30:00Z ',
  '2026-05-01T09:30:00Z\n',
  '2026-05-01T09:30:00Z\0',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-05-01T24:00:00Z',
  '2026-05-01T23:60:00Z',
  '2026-05-01T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '-001-01-01T00:00:00Z',
  '+002026-05-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '1746091800',
  '٢٠٢٦-05-01T09:30:00Z',
  'infinity',
  "2026-05-01T09:30:00Z' OR '1'='1",
]

describe('R5, R6: invalid date-times', () => {
  const names = DATES.flatMap((name) => OPERATORS.map((operator) => `${name}[${operator}]`))

  it.each(BAD_DATE_TIMES.map((value, i) => [value, names[i % names.length] ?? '']))(
    'rejects %j with a message that names the parameter and shows an example',
    async (value, name) => {
      const answer = await listRaw(`${name}=${encodeURIComponent(value)}`)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual(rejection(name, expect.stringContaining(name)))
      expect(answer.body).toEqual(
        rejection(name, expect.stringMatching(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z/)),
      )
    },
  )

  it.each(names)('rejects a bare date as %s', async (name) => {
    const answer = await listRaw(`${name}=2026-05-01`)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(rejection(name, expect.stringContaining(name)))
  })

  it('rejects an invalid percent-encoding', async () => {
    for (const value of ['%ZZ', '2026-05-01T09:30:00Z%', '2026-05-01T09:30:00Z%FF']) {
      expect((await listRaw(`created_at[gt]=${value}`)).body).toEqual(rejection('created_at[gt]'))
    }
  })

  it('accepts the example of the message', async () => {
    const { body } = await listRaw('updated_at[lt]=yesterday')
    const { message } = (body as { error: { message: string } }).error
    const [example = ''] = /\d{4}-\d\d-\d\dT\S*Z/.exec(message) ?? []
    expect((await listRaw(`updated_at[lt]=${example}`)).status).toBe(200)
  })

  it.each(['2026-05-01T09:30:00+02:00', '2026-05-01T09:30+02:00', '2026-05-01T09:30:00.123456+02:00'])(
    'the message for %s with an unencoded plus says how to encode it',
    async (value) => {
      for (const name of names) {
        const answer = await listRaw(`${name}=${value}`)
        expect(answer.status).toBe(400)
        expect(answer.body).toEqual(rejection(name, expect.stringContaining('%2B')))
      }
      expect((await listRaw(`created_at[gt]=${value.replace('+', '%2B')}`)).status).toBe(200)
    },
  )

  it.each(['2026-05-01', 'yesterday', '2026-05-01T09:30:00', ''])(
    'the message for %j does not mention the plus',
    async (value) => {
      const { text } = await listRaw(`created_at[gt]=${value}`)
      expect(text).not.toContain('%2B')
    },
  )
})

describe('R3: a filter is never silently dropped', () => {
  it.each([
    ['created_at=2026-05-01T09:30:00Z', 'created_at'],
    ['created_at[]=2026-05-01T09:30:00Z', 'created_at[]'],
    ['created_at[eq]=2026-05-01T09:30:00Z', 'created_at[eq]'],
    ['created_at%5Beq%5D=2026-05-01T09:30:00Z', 'created_at[eq]'],
    ['created_at[GT]=2026-05-01T09:30:00Z', 'created_at[GT]'],
    ['created_at[gt]=2026-05-01T09:30:00Z&created_at[gt]=2026-05-01T09:30:00Z', 'created_at[gt]'],
    ['created_at[gt][]=2026-05-01T09:30:00Z', 'created_at[gt][]'],
    ['created_at[gt=2026-05-01T09:30:00Z', 'created_at[gt'],
    ['updated_at=2026-05-01T09:30:00Z', 'updated_at'],
    ['updated_at[ne]=2026-05-01T09:30:00Z', 'updated_at[ne]'],
    ['updated_at[lte]=2026-05-01T09:30:00Z&updated_at[lte]=2026-05-02T09:30:00Z', 'updated_at[lte]'],
    ['service_start_time=2026-05-01T09:30:00Z', 'service_start_time'],
    ['service_start_time[]=x', 'service_start_time[]'],
    [
      'service_start_time[gte]=2026-05-01T09:30Z&service_start_time[gte]=2026-05-01T09:30Z',
      'service_start_time[gte]',
    ],
    ['lead_id=a&lead_id=b', 'lead_id'],
    ['lead_id=a&lead_id=a', 'lead_id'],
    ['lead_id[]=a', 'lead_id[]'],
    ['lead_id[eq]=a', 'lead_id[eq]'],
    ['location_id[0]=a', 'location_id[0]'],
    ['location_id=a&location_id=b', 'location_id'],
    ['booking_id[gt]=a', 'booking_id[gt]'],
    ['booking_id=&booking_id=', 'booking_id'],
    ['event_type_id[]=a', 'event_type_id[]'],
    ['event_type_id=a&event_type_id=b', 'event_type_id'],
  ])('rejects %s', async (query, param) => {
    const answer = await listRaw(query, KEY)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(rejection(param, expect.stringContaining(param)))
  })

  it('accepts different operators of one name together', async () => {
    const query = OPERATORS.map((operator) => `created_at[${operator}]=2026-05-01T09:30:00Z`).join('&')
    expect((await listRaw(query)).status).toBe(200)
  })

  it('reports the first of several invalid parameters', async () => {
    const bad = ['created_at[gt]=x', 'updated_at=x', 'lead_id[]=x', 'service_start_time[lt]=']
    for (const [i, first] of bad.entries()) {
      const query = [first, ...bad.filter((_, other) => other !== i)].join('&')
      expect((await listRaw(query)).body).toEqual(rejection(first.slice(0, first.indexOf('='))))
    }
  })
})
