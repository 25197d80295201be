/** The API of quotes, with functions that expand one path. */
import { createQuoteApi, plant } from './quotes.ts'
import type { Row } from './quotes.ts'

export type Thing = Record<string, unknown> & { id: string }

export const ids = (things: readonly { id: string }[]) => things.map(({ id }) => id)

// Names and ids in byte order, which differs from the order of languages, and of UTF-16 (which swaps the last two).
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

  async function quoteWith(id: string, row: Row): Promise<void> {
    await plant(pool, 'quotes', 'co_1', id, row)
  }

  /** The object at an expanded path of a quote. */
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
