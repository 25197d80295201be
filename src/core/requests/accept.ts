/** Content negotiation by `accept` (RFC 9110, 12.5.1). */

/** Longer than any browser's. */
const HEADER_MAX = 1_000

/** Whether HTML is more welcome than JSON: true for navigation in a browser, false for programs that accept anything. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > HEADER_MAX) return false
  const weights = readWeights(accept)
  const weightOf = (type: string, subtype: string) =>
    weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get('*/*') ?? 0
  return weightOf('text', 'html') > weightOf('application', 'json')
}

/** The weight of each media range, from 0 (refused) to 1. Elements that cannot be read are ignored. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    if (/^[01](?:\.\d{0,3})?$/.test(weight)) weights.set(range, Math.min(Number(weight), 1))
  }
  return weights
}
