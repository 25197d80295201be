/** A company with few values in each column, so that filters overlap, and the expected result of each filter. */
import { createQuoteApi, plantMany } from './quotes.ts'
import { insertCompany } from './records.ts'

export const EPOCH = Date.UTC(2026, 4, 1, 23, 59, 58)
export const MANY = 'key-of-a-company-to-filter'

export interface Model {
  id: string
  leadId: string
  locationId: string
  bookingId: string | null
  eventTypeId: string | null
  /** Milliseconds after the epoch. */
  createdAt: number
  updatedAt: number
  days: number[]
  deleted: boolean
}

export const model: Model[] = Array.from({ length: 90 }, (_, i) => ({
  id: `q_${String((i * 53) % 90).padStart(2, '0')}`,
  leadId: ['lead_a', 'lead_b', 'LEAD_A'][i % 3] ?? '',
  locationId: ['loc_x', 'loc_y'][i % 2] ?? '',
  bookingId: [null, 'book_1', 'book_2', null, 'book_3'][i % 5] ?? null,
  eventTypeId: [null, 'type_1', 'type_2', 'type_1'][i % 4] ?? null,
  createdAt: (i * 7) % 11,
  updatedAt: (i * 5) % 13,
  days: Array.from({ length: i % 4 }, (_day, n) => (i * 3 + n * (1 + (i % 5))) % 12),
  deleted: i % 17 === 16,
}))

const isoAt = (milliseconds: number) => new Date(EPOCH + milliseconds).toISOString()

export const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const

export const DATES = ['created_at', 'updated_at', 'service_start_time'] as const

export async function createFilterApi() {
  const { pool, list, listRaw } = await createQuoteApi()

  await insertCompany(pool, 'co_many', { key: MANY })
  await plantMany(
    pool,
    'quotes',
    'co_many',
    model.map((quote) => ({
      id: quote.id,
      lead_id: quote.leadId,
      location_id: quote.locationId,
      booking_id: quote.bookingId,
      event_type_id: quote.eventTypeId,
      created_at: isoAt(quote.createdAt),
      updated_at: isoAt(quote.updatedAt),
      deleted_at: quote.deleted ? isoAt(0) : null,
    })),
  )
  await plantMany(
    pool,
    'service_days',
    'co_many',
    model.flatMap(({ id, days }) =>
      days.map((start, n) => ({
        id: `${id}_${n}`,
        quote_id: id,
        service_start_time: isoAt(start),
        service_end_time: isoAt(start),
      })),
    ),
  )
  return { pool, list, listRaw }
}
