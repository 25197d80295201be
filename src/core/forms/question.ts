/** The questions of a form, and which of them show. Used by the server, and in the browser for the preview. */
import type { QuestionType } from '../enumerations.ts'

export const OPTIONS_MAX = 200
export const QUESTIONS_MAX = 100

/** The members of a contact and a quote that answers fill in. */
export const LINKED_FIELDS = [
  'name',
  'firstName',
  'lastName',
  'email',
  'phone',
  'companyName',
  'eventType',
  'eventDate',
  'serviceStartTime',
  'serviceEndTime',
  'guestCount',
  'eventAddress',
  'location',
] as const
export type LinkedField = (typeof LINKED_FIELDS)[number]

interface ShowWhen {
  questionId: string
  equals: string
}

export interface Question {
  id: string
  title: string
  type: QuestionType
  subtitle: string | null
  isRequired: boolean
  options: readonly string[]
  showWhen: ShowWhen | null
  /** Imports can bring others. They have no effect. */
  linkedField: string | null
}

/** The types that linked fields make sense with. */
export const TYPES_OF_FIELD: Record<LinkedField, readonly QuestionType[]> = {
  name: ['TEXT'],
  firstName: ['TEXT'],
  lastName: ['TEXT'],
  email: ['TEXT'],
  phone: ['TEXT'],
  companyName: ['TEXT'],
  eventType: ['DROPDOWN', 'MULTICHOICE'],
  eventDate: ['DATE'],
  serviceStartTime: ['TIME'],
  serviceEndTime: ['TIME'],
  guestCount: ['NUMBER'],
  eventAddress: ['ADDRESS', 'TEXT'],
  location: ['DROPDOWN', 'MULTICHOICE'],
}

/** Shorter names that files of other systems use. */
const OTHER_NAMES: Readonly<Record<string, LinkedField>> = {
  company: 'companyName',
  date: 'eventDate',
  startTime: 'serviceStartTime',
  endTime: 'serviceEndTime',
  guests: 'guestCount',
  address: 'eventAddress',
}

/** The linked field, if it has an effect on a question of this type. */
export function linkedFieldOf({
  linkedField,
  type,
}: Pick<Question, 'linkedField' | 'type'>): LinkedField | null {
  const named = OTHER_NAMES[linkedField ?? ''] ?? linkedField
  const field = LINKED_FIELDS.find((name) => name === named)
  return field !== undefined && TYPES_OF_FIELD[field].includes(type) ? field : null
}

/** Several answers can be chosen. */
const MANY: ReadonlySet<QuestionType> = new Set(['MULTISELECT', 'ADDONS', 'ACKNOWLEDGEMENTS'])
export const hasManyAnswers = (type: QuestionType) => MANY.has(type)

/** The values that were entered, by question. A question with checkboxes can have several. */
export type Values = ReadonlyMap<string, readonly string[]>

/** The questions whose answers can be a condition of this one: those before it that have an answer. */
export function possibleConditions<Asked extends Pick<Question, 'id' | 'type'>>(
  questions: readonly Asked[],
  id: string,
): Asked[] {
  const index = questions.findIndex((question) => question.id === id)
  return questions.slice(0, Math.max(0, index)).filter(({ type }) => type !== 'DISPLAYTEXT')
}

/**
 * The questions that show with these values, in order. A condition on a question that is not before it, or does not exist, has
 * no effect, so there are no cycles. The values of a question that does not show count as empty.
 */
export function shownQuestions<Asked extends Pick<Question, 'id' | 'showWhen'>>(
  questions: readonly Asked[],
  values: Values,
): Asked[] {
  const known = new Set<string>()
  const shown = new Set<string>()
  return questions.filter(({ id, showWhen }) => {
    const isShown =
      showWhen === null ||
      !known.has(showWhen.questionId) ||
      (shown.has(showWhen.questionId) && isAnswer(values.get(showWhen.questionId), showWhen.equals))
    known.add(id)
    if (isShown) shown.add(id)
    return isShown
  })
}

/** Whether one of the values is the text, without regard to case and white space around it. */
function isAnswer(values: readonly string[] | undefined, text: string): boolean {
  return values?.some((value) => fold(value) === fold(text)) ?? false
}

/** The script of the page folds in the same way. */
const fold = (text: string) => text.trim().toLowerCase()
