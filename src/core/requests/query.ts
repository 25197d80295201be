/** The query string as ordered pairs: the order decides which of several errors is reported. */
import { isUtf8 } from 'node:buffer'

export type QueryPairs = readonly (readonly [name: string, value: string])[]

/** Pairs in the order they were sent, percent-decoded, with `+` as a space. */
export function parseQuery(query: string): QueryPairs {
  if (query === '') return []
  const canDecode = decodes(query) ? () => true : isDecodable
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      const name = equals === -1 ? part : part.slice(0, equals)
      const value = equals === -1 ? '' : part.slice(equals + 1)
      return [decode(name, canDecode, keepInvalid), decode(value, canDecode, markInvalid)] as const
    })
}

/** Recovers the original text of a value that `parseQuery` could not decode. */
export function valueAsSent(value: string): string {
  return value.startsWith('\0') && value.includes('%') ? value.slice(1) : value
}

/** Marks invalid percent-encoding with a NUL, so that it can never match a valid value. */
const markInvalid = (sent: string): string => `\0${sent}`

/** In a name, only the invalid parts stay encoded, so a known name before them is recognized and refused. */
const keepInvalid = (sent: string): string => sent.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent)

function decode(
  text: string,
  canDecode: (text: string) => boolean,
  otherwise: (sent: string) => string,
): string {
  const blanks = text.replaceAll('+', ' ')
  if (!blanks.includes('%')) return blanks
  return canDecode(blanks) ? decodeURIComponent(blanks) : otherwise(blanks)
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Without exceptions: each takes microseconds, and a query may have thousands of invalid parts. */
function isDecodable(text: string): boolean {
  if (/%(?![\da-f]{2})/i.test(text)) return false
  const runs = text.match(/(?:%[\da-f]{2})+/gi) ?? []
  return runs.every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
}

/** Letters, digits and `-._~`: percent-encoded or not, they mean the same (RFC 3986, 6.2.2.2). */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi

/** Matches nearly every request: only unreserved characters, which have one spelling. */
const PLAIN_PATH = /^\/[\w.~/-]*(?:\?|$)/

/**
 * The target of a request as the router is to see it, so that every path has one spelling: without scheme and host,
 * which a target may begin with; unreserved characters as themselves; `#`, which ends no path here, percent-encoded. An
 * invalid percent-encoding gets a NUL, so that the path is routed and authenticated like any other, and then matches no
 * id.
 */
export function routableTarget(target: string): string {
  if (PLAIN_PATH.test(target)) return target
  const url = withoutOrigin(target)
  const queryStart = url.indexOf('?')
  const sent = queryStart === -1 ? url : url.slice(0, queryStart)
  const query = url.slice(sent.length)
  const path = sent.replaceAll('#', '%23').replaceAll(UNRESERVED, decodeURIComponent)
  return (decodes(sent) ? path : path.replaceAll('%', '%00')) + query
}

function withoutOrigin(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
