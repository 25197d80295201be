/** Bodies of HTML forms, as browsers send them without JavaScript. */
import { ApiError } from '../core/requests/errors.ts'

/** The longest form has a hundred answers of a few hundred characters. */
export const FORM_BODY_MAX_BYTES = 128 * 1024
const FIELDS_MAX = 1_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Refuses another content type, too many fields, and text that cannot be stored. */
export function parseFormBody(contentType: string | undefined, body: unknown): URLSearchParams {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw invalid('Send the form as the page does.')
  const fields = new URLSearchParams(decode(body))
  if (fields.size > FIELDS_MAX) throw invalid('The form has too many fields.')
  for (const [name, value] of fields) {
    // PostgreSQL cannot store the null character, and the replacement character stands for bytes that are not UTF-8.
    if (/[\0\uFFFD]/.test(name + value)) throw invalid('The form has characters that cannot be stored.')
  }
  return fields
}

function decode(body: unknown): string {
  if (!(body instanceof Buffer)) return ''
  try {
    return decoder.decode(body)
  } catch {
    throw invalid('The form is not valid UTF-8.')
  }
}

const invalid = (message: string) => new ApiError('invalid_parameter', { message })
