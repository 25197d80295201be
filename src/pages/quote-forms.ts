/** The forms of the quote page, as browsers send them. */
import { SIGNATURE_MAX } from '../actions/accept-quote.ts'
import { CUSTOMER_TEXT_MAX } from '../actions/customer-quote.ts'
import type { LostReason } from '../core/enumerations.ts'
import { chooseLines, findIncompleteGroup, isChoice } from '../core/quotes/customer-choices.ts'
import type { Option } from '../core/quotes/quote-options.ts'
import { formatsOf, priceRevision } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { CUSTOMER_REASONS } from './quote-html.ts'
import type { Entered, QuoteView } from './quote-html.ts'

export type FormErrors = QuoteView['errors']

/** The positions of the chosen options: values of check boxes and radio buttons. Others are ignored. */
export function readChosen(fields: URLSearchParams, lines: readonly Option[]): number[] {
  const values = [...fields].flatMap(([name, value]) =>
    /^(?:option|group\d{1,4})$/.test(name) && /^\d{1,4}$/.test(value) ? [Number(value)] : [],
  )
  const chosen = values.filter((position) => {
    const line = lines[position]
    return line !== undefined && isChoice(line)
  })
  return [...new Set(chosen)].toSorted((a, b) => a - b)
}

export function readAcceptance(
  fields: URLSearchParams,
  revision: Revision,
): { chosen: number[]; errors: FormErrors; entered: Entered } {
  const { lines } = revision.content
  const chosen = readChosen(fields, lines)
  const name = (fields.get('name') ?? '').trim().replaceAll(/\s+/g, ' ')
  const hasAgreed = fields.get('agree') === 'yes'
  const errors: FormErrors = {}
  const group = findIncompleteGroup(chooseLines(lines, chosen))
  if (group !== null) errors.choices = `Choose one option for ${group}.`
  else if (fields.get('shown') !== chosen.join(',')) {
    // Without JavaScript, the total on the screen is not that of the new choice.
    const total = formatsOf(revision).money(priceRevision(revision, chooseLines(lines, chosen)).totalCents)
    errors.form = `With your choice the total is ${total}. Check it, and accept again.`
  }
  if (name === '') errors.name = 'Type your full name.'
  else if (name.length > SIGNATURE_MAX) errors.name = `Use at most ${SIGNATURE_MAX} characters.`
  if (!hasAgreed) errors.agree = 'Check this box to accept.'
  return { chosen, errors, entered: { name: name.slice(0, SIGNATURE_MAX), hasAgreed, question: '' } }
}

const TOO_LONG = `Use at most ${CUSTOMER_TEXT_MAX.toLocaleString('en')} characters.`

/** Browsers send a line break as two characters, but count it as one. */
const textOf = (fields: URLSearchParams) => (fields.get('text') ?? '').replaceAll('\r\n', '\n').trim()

export function readQuestion(fields: URLSearchParams): { text: string; errors: FormErrors } {
  const text = textOf(fields)
  if (text === '') return { text, errors: { question: 'Type your question.' } }
  if (text.length > CUSTOMER_TEXT_MAX) return { text, errors: { question: TOO_LONG } }
  return { text, errors: {} }
}

/** Any other reason counts as another reason. */
export function readDecline(fields: URLSearchParams): {
  reason: LostReason
  text: string | null
  errors: FormErrors
} {
  const text = textOf(fields)
  const reason = CUSTOMER_REASONS.find((one) => one === fields.get('reason')) ?? 'OTHER'
  const errors: FormErrors = text.length > CUSTOMER_TEXT_MAX ? { form: TOO_LONG } : {}
  return { reason, text: text === '' ? null : text, errors }
}
