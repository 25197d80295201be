/** The content of a form, as the builder edits it, and whether it can be published. */
import type { FormPurpose, QuestionType } from '../enumerations.ts'
import { linkedFieldOf, possibleConditions } from './question.ts'
import type { Question } from './question.ts'

export interface FormContent {
  name: string
  purpose: FormPurpose
  slug: string | null
  allowedOrigins: readonly string[]
  questions: readonly Question[]
}

export const TITLE_MAX = 500
export const OPTION_MAX = 300
/** An id that the builder gives to a new question. */
export const NEW_QUESTION_ID = /^question_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A problem of the questions: `questions.2.showWhen` and a message. Null if there is no problem. */
export function findContentProblem(questions: readonly Question[]): { path: string; message: string } | null {
  const ids = questions.map(({ id }) => id)
  for (const [i, { id, showWhen, options }] of questions.entries()) {
    const fail = (name: string, message: string) => ({ path: `questions.${i}.${name}`, message })
    if (ids.indexOf(id) < i) return fail('id', 'This question is there twice.')
    if (new Set(options).size < options.length) return fail('options', 'An option is there twice.')
    if (
      showWhen !== null &&
      !possibleConditions(questions, id).some((earlier) => earlier.id === showWhen.questionId)
    )
      return fail('showWhen', 'The condition must be on an earlier question.')
  }
  return null
}

/** Why customers cannot use the form yet; null if they can. */
export function publishProblem({ purpose, slug, questions }: FormContent): string | null {
  if (purpose === 'BOOKING')
    return questions.some(({ type }) => type !== 'DISPLAYTEXT') ? null : 'Add a question first.'
  if (slug === null) return 'Enter the address of the form first.'
  const hasEmail = questions.some(
    (question) => linkedFieldOf(question) === 'email' && question.isRequired && question.showWhen === null,
  )
  return hasEmail ? null : 'Add a required question that is linked to the email address first.'
}

type Starter = [title: string, type: QuestionType, field: string | null, isRequired: boolean]

const STARTERS: Record<FormPurpose, readonly Starter[]> = {
  QUOTE: [
    ['Your name', 'TEXT', 'name', true],
    ['Email address', 'TEXT', 'email', true],
    ['Phone number', 'TEXT', 'phone', false],
    ['What are you planning?', 'DROPDOWN', 'eventType', false],
    ['On which day?', 'DATE', 'eventDate', true],
    ['When does it begin?', 'TIME', 'serviceStartTime', false],
    ['When does it end?', 'TIME', 'serviceEndTime', false],
    ['How many guests do you expect?', 'NUMBER', 'guestCount', false],
    ['Where does it take place?', 'ADDRESS', 'eventAddress', false],
    ['Anything else we should know?', 'TEXT', null, false],
  ],
  BOOKING: [['Anything else we should know?', 'TEXT', null, false]],
}

/** The questions of a new form. */
export function starterQuestions(purpose: FormPurpose, newId: () => string): Question[] {
  return STARTERS[purpose].map(([title, type, linkedField, isRequired]) => ({
    id: newId(),
    title,
    type,
    subtitle: null,
    isRequired,
    options: [],
    showWhen: null,
    linkedField,
  }))
}
