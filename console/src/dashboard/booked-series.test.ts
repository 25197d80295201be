import { expect, it } from 'vitest'
import { bookedSeries } from './booked-series.ts'

const MONTHS = ['2026-01', '2026-02', '2026-03']

it('has a series for each currency, with every month and totals', () => {
  const values = [
    { month: '2026-01', currency: 'EUR', bookings: 1, totalCents: '500' },
    { month: '2026-01', currency: 'USD', bookings: 2, totalCents: '100' },
    { month: '2026-03', currency: 'USD', bookings: 1, totalCents: '9007199254740993' },
  ]
  expect(bookedSeries({ months: MONTHS, values })).toEqual([
    {
      currency: 'USD',
      bookings: 3,
      totalCents: 9_007_199_254_741_093n,
      months: [
        { month: '2026-01', bookings: 2, totalCents: 100n },
        { month: '2026-02', bookings: 0, totalCents: 0n },
        { month: '2026-03', bookings: 1, totalCents: 9_007_199_254_740_993n },
      ],
    },
    {
      currency: 'EUR',
      bookings: 1,
      totalCents: 500n,
      months: [
        { month: '2026-01', bookings: 1, totalCents: 500n },
        { month: '2026-02', bookings: 0, totalCents: 0n },
        { month: '2026-03', bookings: 0, totalCents: 0n },
      ],
    },
  ])
})

it('orders currencies by number of bookings, then by code', () => {
  const value = { month: '2026-02', bookings: 4, totalCents: '1' }
  const values = [
    { ...value, currency: 'USD' },
    { ...value, currency: 'JPY', bookings: 9 },
    { ...value, currency: 'EUR' },
  ]
  expect(bookedSeries({ months: MONTHS, values }).map(({ currency }) => currency)).toEqual([
    'JPY',
    'EUR',
    'USD',
  ])
})

it('is empty without bookings', () => {
  expect(bookedSeries({ months: MONTHS, values: [] })).toEqual([])
})
