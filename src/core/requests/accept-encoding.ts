/** Content negotiation by `accept-encoding` (RFC 9110, 12.5.3). */

/** Those that the service can send, the preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

export interface AcceptedEncoding {
  /** The encoding to use; null: none, the body is sent as it is. */
  encoding: Encoding | null
  /** The client refuses a body that is not encoded. */
  refusesIdentity: boolean
}

const IDENTITY: AcceptedEncoding = { encoding: null, refusesIdentity: false }

/** No client sends a longer one; reading it would only cost time. */
const HEADER_MAX = 1_000

/** Never fails: elements that cannot be read are ignored. */
export function acceptedEncoding(header: string | undefined): AcceptedEncoding {
  if (header === undefined || header.length > HEADER_MAX) return IDENTITY
  const weights = readWeights(header)
  const anyOther = weights.get('*')
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? anyOther ?? 0
  const encoding = ENCODINGS.reduce((best, other) => (weightOf(other) > weightOf(best) ? other : best))
  // Unless it is mentioned, an identity body is acceptable, but less welcome than any encoding that is.
  const identity = weights.get('identity') ?? (anyOther === 0 ? 0 : undefined)
  const isWelcome = weightOf(encoding) > 0 && weightOf(encoding) >= (identity ?? 0)
  return { encoding: isWelcome ? encoding : null, refusesIdentity: identity === 0 }
}

const ELEMENT = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i
const ALIASES: Record<string, string> = { 'x-gzip': 'gzip' }

/** The weight of each encoding that is named, from 0 (refused) to 1. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? []
    if (name === undefined || Number(weight) > 1) continue
    const lower = name.toLowerCase()
    weights.set(ALIASES[lower] ?? lower, Number(weight))
  }
  return weights
}
