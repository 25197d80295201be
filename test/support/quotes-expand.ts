/** The API of quotes, with functions that expand one path. */
import { createQuoteApi, plant } from './quotes.ts'
import type { Row } from './quotes.ts'

export type Thing = Record<string, unknown> & { id: string }

export const ids = (things: readonly { id: string }[]) => things.map(({ id }) => id)

// Names and ids in byte order, which is neither the order of any language nor that of UTF-16 (the last two swap there).
export const BYTE_ORDER = [
  '',
  ' ',
  '10',
  '9',
  'B',
  'Z',
  'a',
  'b',
  'z',
  'zz',
  'ä',
  'é',
  'ß',
  '日',
  '\uFF5E',
  '\u{1F600}',
]
  .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  .slice(1)
export const SHUFFLED = [
  ...BYTE_ORDER.filter((_, i) => i % 2 === 1).toReversed(),
  ...BYTE_ORDER.filter((_, i) => i % 2 === 0),
]

export async function createExpandApi() {
  const { pool, list, listRaw, get, getRaw } = await createQuoteApi()

  /** Plants a quote and gives it back with one member expanded. */
  async function quoteWith(id: string, row: Row): Promise<void> {
    await plant(pool, 'quotes', 'co_1', id, row)
  }

  async function member<T = Thing[]>(id: string, path: string): Promise<T> {
    let object: unknown = await get(id, `expand[]=${path}`)
    for (const segment of path.split('.')) object = (object as Record<string, unknown>)[segment]
    return object as T
  }

  let lines = 0
  async function plantLine(quoteId: string, row: Row): Promise<void> {
    await plant(pool, 'line_items', 'co_1', `line_${String(++lines)}`, { quote_id: quoteId, ...row })
  }
  return { pool, list, listRaw, get, getRaw, quoteWith, plantLine, member }
}
