/** JSON bodies, read strictly: what cannot be stored or understood without guessing is refused. */
import { isStorableText } from '../core/ids.ts'

/** The object that was sent, or the reason why there is none. */
export function readJsonObject(
  contentType: string | undefined,
  bytes: Buffer | undefined,
): { object: object } | { reason: string } {
  if (!isJson(contentType)) return { reason: 'send the body as JSON, with content-type: application/json' }
  const value = parse(bytes)
  if (value === undefined) return { reason: 'the body is not valid JSON in UTF-8' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { reason: 'the body must be a JSON object' }
  }
  if (hasLoneSurrogate(value)) return { reason: 'the body has a text with half of a surrogate pair' }
  return { object: value }
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((part) => part.startsWith('charset'))
  return type === 'application/json' && charsets.every((part) => /^charset=("?)utf-?8\1$/.test(part))
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/** JSON can escape what UTF-8 cannot hold. With a list, not recursion: a body may be nested very deeply. */
function hasLoneSurrogate(root: object): boolean {
  const left: unknown[] = [root]
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    // NUL is another matter; a blank in its place keeps the two halves around it apart.
    if (typeof value === 'string' && !isStorableText(value.replaceAll('\0', ' '))) return true
    if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) left.push(name, member)
    }
  }
  return false
}
