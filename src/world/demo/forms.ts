/** The forms of generated companies: a public one, one before the event with a question of every type, and one after it. */
import { proposeSlug } from '../../core/forms/form-address.ts'
import type { FormPurpose } from '../../core/enumerations.ts'
import { AFTER, BEFORE } from './form-questions.ts'
import type { QuestionText } from './form-questions.ts'
import { INQUIRY } from './inquiry-questions.ts'
import { type ResolvedPlan, namedId } from './plan.ts'
import { type RecordOf, present } from './records.ts'

export interface FormEntry {
  form: RecordOf<'form'>
  questions: { record: RecordOf<'formQuestion'>; answer: QuestionText['answer'] }[]
}

function formEntry(
  plan: ResolvedPlan,
  slug: string,
  name: string,
  { texts, ...members }: { texts: readonly QuestionText[]; purpose: FormPurpose; slug?: string },
  at: string,
): FormEntry {
  const companyId = plan.id
  const dates = { createdAt: at, updatedAt: at }
  const formId = namedId(plan, 'form', slug)
  return {
    form: { object: 'form', id: formId, companyId, name, ...members, publishedAt: at, ...dates },
    questions: texts.map((text, index) => {
      const record = present<RecordOf<'formQuestion'>>({
        object: 'formQuestion',
        id: namedId(plan, 'question', `${slug}_${text.slug}`),
        companyId,
        formId,
        title: text.title,
        type: text.type,
        subtitle: text.subtitle,
        position: index + 1,
        systemRequired: text.required === 'SYSTEM',
        userRequired: text.required === 'USER',
        linkedSystemField: text.linkedSystemField,
        options: text.options,
        showWhen: showWhenOf(text, (earlier) => namedId(plan, 'question', `${slug}_${earlier}`)),
        createdAt: at,
        updatedAt: at,
      })
      return { record, answer: text.answer }
    }),
  }
}

function showWhenOf({ showWhen }: QuestionText, questionId: (slug: string) => string) {
  if (showWhen === undefined) return undefined
  const [slug, equals] = showWhen
  return { questionId: questionId(slug), equals }
}

export interface Forms {
  /** The public one. */
  quote: FormEntry
  before: FormEntry
  after: FormEntry
}

/** Of the first company. */
export const DEMO_FORM_SLUG = 'harborlight-quote'

export function formsOf(plan: ResolvedPlan, at: string): Forms {
  // Names of companies can repeat, slugs cannot.
  const slug = `${proposeSlug(plan.id.replace(/^co_/, ''))}-quote`
  return {
    quote: formEntry(plan, 'quote', 'Ask for a quote', { texts: INQUIRY, purpose: 'QUOTE', slug }, at),
    before: formEntry(plan, 'details', 'Event details', { texts: BEFORE, purpose: 'BOOKING' }, at),
    after: formEntry(plan, 'feedback', 'How was it?', { texts: AFTER, purpose: 'BOOKING' }, at),
  }
}
