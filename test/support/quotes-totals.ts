/** The quote API for tests of totals. */
import { createQuoteApi } from './quotes.ts'

export async function createPricedQuotes() {
  const { pool, list, get } = await createQuoteApi()
  return { pool, list, get }
}
