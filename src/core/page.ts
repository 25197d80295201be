/** Cursor pages: read one more than the page holds, to know whether there is another. */

export interface Page {
  limit: number
  /** Id of the last item of the page before; undefined on the first page. */
  startingAfter: string | undefined
}

export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 10

/** The rows of the page, of `limit + 1` that were asked for, and whether more follow. */
export function takePage<Row>(rows: Row[], limit: number): { rows: Row[]; hasMore: boolean } {
  return rows.length > limit ? { rows: rows.slice(0, limit), hasMore: true } : { rows, hasMore: false }
}
