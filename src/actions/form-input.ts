/** The members of a form that can be written, and its questions. */
import { z } from 'zod'
import { FORM_PURPOSES, QUESTION_TYPES } from '../core/enumerations.ts'
import { ORIGINS_MAX, isFormSlug, parseOrigin } from '../core/forms/form-address.ts'
import { OPTION_MAX, TITLE_MAX } from '../core/forms/form-content.ts'
import { OPTIONS_MAX, QUESTIONS_MAX } from '../core/forms/question.ts'
import { isStorableText } from '../core/ids.ts'

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .refine(isStorableText, 'This text cannot be stored.')
const filled = (max: number) => text(max).refine((value) => value !== '', 'Enter a text.')
const id = z.string().max(255).refine(isStorableText)

const QuestionInput = z.strictObject({
  id,
  title: filled(TITLE_MAX),
  type: z.enum(QUESTION_TYPES),
  subtitle: text(2_000)
    .nullable()
    .transform((value) => value || null),
  isRequired: z.boolean(),
  options: z.array(filled(OPTION_MAX)).max(OPTIONS_MAX, `Enter at most ${OPTIONS_MAX} options.`),
  showWhen: z.strictObject({ questionId: id, equals: text(TITLE_MAX) }).nullable(),
  linkedField: z.string().max(100).refine(isStorableText).nullable(),
})

const origin = z
  .string()
  .trim()
  .transform((value, context) => {
    const parsed = parseOrigin(value)
    if (parsed !== null) return parsed
    context.addIssue({ code: 'custom', message: 'Enter the address of a site, such as https://example.com.' })
    return z.NEVER
  })

const SLUG_MESSAGE = 'Use 2 to 80 lower-case letters, digits and single hyphens, such as ask-for-a-quote.'
export const NewForm = z.strictObject({ name: filled(200), purpose: z.enum(FORM_PURPOSES) })

/** A form as the builder edits it. */
export const FormInput = NewForm.extend({
  slug: z.string().trim().refine(isFormSlug, SLUG_MESSAGE).nullable(),
  allowedOrigins: z.array(origin).max(ORIGINS_MAX),
  questions: z.array(QuestionInput).max(QUESTIONS_MAX, `A form has at most ${QUESTIONS_MAX} questions.`),
})
