/** Quotes with one of everything that has a price. */
import { createQuoteApi } from './quotes.ts'

export async function createPricedQuotes() {
  const { pool, list, get } = await createQuoteApi()
  return { pool, list, get }
}
