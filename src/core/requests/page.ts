/** Cursor pages: read one more than the page holds, to know whether there is another. */

export interface Page {
  limit: number
  /** Id of the last item of the page before; undefined on the first page. */
  startingAfter: string | undefined
}

export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 10

/** Sizes in which pages are read: few, since each is a statement of its own that every connection keeps prepared. */
const READ_SIZES = [2, 11, 21, 26, 51, LIMIT_MAX + 1]

/** How many rows to ask for, to fill a page and know whether another follows. */
export function readSize(limit: number): number {
  return READ_SIZES.find((size) => size > limit) ?? LIMIT_MAX + 1
}

/** A page that was read. */
export interface ReadPage<Row> {
  rows: Row[]
  hasMore: boolean
  /** False: `startingAfter` is none of the items that match the filters, so the page is empty. */
  isCursorFound: boolean
}

/** The response header of a page whose cursor was not found: an empty page alone would look like the end of the list. */
export const CURSOR_NOT_FOUND = { 'x-cursor': 'not-found' }

/** The rows of the page, of those that were asked for, and whether more follow. */
export function takePage<Row>(rows: Row[], limit: number): { rows: Row[]; hasMore: boolean } {
  return rows.length > limit ? { rows: rows.slice(0, limit), hasMore: true } : { rows, hasMore: false }
}
