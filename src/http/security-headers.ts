/** What every answer tells a browser, also those that no request led to. */

/** JSON only, no page to frame, nothing to load: pages set their own policy over this one. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}
