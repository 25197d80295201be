/** Security headers of every response, also of those to bytes that are not a request. */

/** JSON only, no page to frame, nothing to load: pages set their own policy over this one. */
export const SECURITY_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  // No other origin may embed a response or keep a handle on one of our windows. Navigation from a link still works.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A year. Without includeSubDomains: the other hosts of the operator's domain may have no TLS. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/** With HSTS if the public URL is https. It is read at the first response: the port is unknown before the server listens. */
export function createSecurityHeaders(publicUrl: () => string): () => Record<string, string> {
  let headers: Record<string, string> | undefined
  return () => (headers ??= isHttps(publicUrl()) ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS)
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:'
}
