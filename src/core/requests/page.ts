/** Cursor pagination: reads one row more than the page, to know whether there is another page. */

export interface Page {
  limit: number
  /** Id of the last item of the previous page; undefined on the first page. */
  startingAfter: string | undefined
}

export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 10

/** Limits are rounded up to these sizes, since each one is a separate prepared statement on every connection. */
const READ_SIZES = [2, 11, 21, 26, 51, LIMIT_MAX + 1]

/** How many rows to read to fill a page and know whether another follows. */
export function readSize(limit: number): number {
  return READ_SIZES.find((size) => size > limit) ?? LIMIT_MAX + 1
}

/** The result of reading a page. */
export interface ReadPage<Row> {
  rows: Row[]
  hasMore: boolean
  /** False if `startingAfter` is not among the items that match the filters; then the page is empty. */
  isCursorFound: boolean
}

/** The response header of a page whose cursor was not found: an empty page alone would look like the end of the list. */
export const CURSOR_NOT_FOUND = { 'x-cursor': 'not-found' }

/** Cuts the rows to the page, and says whether more follow. */
export function takePage<Row>(rows: Row[], limit: number): { rows: Row[]; hasMore: boolean } {
  return rows.length > limit ? { rows: rows.slice(0, limit), hasMore: true } : { rows, hasMore: false }
}
