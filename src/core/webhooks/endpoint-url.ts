/** URLs of webhook endpoints. */

const URL_MAX = 2_000
/** The URL parser would remove or encode these. */
const UNPRINTABLE = /[^\x21-\x7e\u00a1-\u{10ffff}]/u

/** The problem of a URL, as a sentence without its subject; null for a valid URL. */
export function describeUrlProblem(text: string): string | null {
  if (text.length > URL_MAX) return `must have at most ${URL_MAX} characters`
  if (UNPRINTABLE.test(text) || !/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    return 'must be an http or https URL, such as https://example.com/webhooks'
  const { username, password } = new URL(text)
  // The parser drops an empty user name.
  if (username + password !== '' || /^https?:\/\/[^/?#\\]*@/i.test(text))
    return 'must not contain a user name or password'
  return null
}

/** The host of a valid URL, without the brackets of an IPv6 address. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
}
