/** Where a public form is: its slug, and the sites that may show it in a frame. */

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/** One letter is the path of booking forms. */
const SLUG_MIN = 2
const SLUG_MAX = 80

export const ORIGINS_MAX = 50

export function isFormSlug(text: string): boolean {
  return text.length >= SLUG_MIN && text.length <= SLUG_MAX && SLUG.test(text)
}

/** A slug from a name: `Ask for a quote` becomes `ask-for-a-quote`. */
export function proposeSlug(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const words = letters.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-').slice(0, SLUG_MAX).replace(/-$/, '')
  return slug.length < SLUG_MIN ? 'form' : slug
}

/** Without wildcards and other characters that have a meaning in a content security policy. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

/** The origin of a URL without a path, such as https://example.com; null for anything else. */
export function parseOrigin(text: string): string | null {
  if (text.length > 300 || !/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return null
  const { origin } = new URL(text)
  return ORIGIN.test(origin) ? origin : null
}
