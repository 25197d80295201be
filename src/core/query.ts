/** The query string as ordered pairs: order decides which of several errors is reported, and nothing is merged away. */

export type QueryPairs = readonly (readonly [name: string, value: string])[]

/**
 * Pairs in the order they were sent, percent-decoded, with `+` as a blank. What is no valid percent-encoding of UTF-8
 * is kept behind a NUL, so that it can never be taken for a value that somebody meant.
 */
export function parseQuery(query: string): QueryPairs {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      return equals === -1
        ? ([decode(part), ''] as const)
        : ([decode(part.slice(0, equals)), decode(part.slice(equals + 1))] as const)
    })
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const blanks = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(blanks)
  } catch {
    return `\0${blanks}`
  }
}

/**
 * A URL whose path can be decoded: one with an invalid percent-encoding gets a NUL there instead, so that it is routed
 * and authenticated like any other, and then matches no id.
 */
export function withDecodablePath(url: string): string {
  const queryStart = url.indexOf('?')
  const path = queryStart === -1 ? url : url.slice(0, queryStart)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%00') + url.slice(path.length)
  }
}
