/** Checks the values that were entered in a form, and turns them into the texts that are stored as answers. */
import type { QuestionType } from '../enumerations.ts'
import { hasAtMostCodePoints } from '../ids.ts'
import { isCalendarDay } from '../schedule/agenda.ts'
import { isEmailAddress } from '../security/email.ts'
import { hasManyAnswers, linkedFieldOf, shownQuestions } from './question.ts'
import type { LinkedField, Question, Values } from './question.ts'

/** Records of the company that questions without own options offer, by name. */
export interface Choices {
  eventTypes: readonly string[]
  locations: readonly string[]
  addons: readonly string[]
  resources: readonly string[]
}

export const NO_CHOICES: Choices = { eventTypes: [], locations: [], addons: [], resources: [] }

export const TEXT_MAX = 5_000
const LINE_MAX = 500
const COUNT_MAX = 1_000_000

const YES_NO = ['Yes', 'No']
const AGREE = ['I agree']

/** Empty if the question has none. Then it is answered with a text. */
export function optionsOf(question: Question, choices: Choices): readonly string[] {
  const { type, options } = question
  if (type === 'YESNO') return YES_NO
  if (!CHOSEN.has(type)) return []
  if (options.length > 0) return options
  const field = linkedFieldOf(question)
  if (field === 'eventType') return choices.eventTypes
  if (field === 'location') return choices.locations
  if (type === 'ADDONS') return choices.addons
  if (type === 'RESOURCE') return choices.resources
  return type === 'ACKNOWLEDGEMENTS' ? AGREE : []
}

/** These are chosen from options. */
const CHOSEN: ReadonlySet<QuestionType> = new Set([
  'ADDONS',
  'MULTISELECT',
  'MULTICHOICE',
  'DROPDOWN',
  'ACKNOWLEDGEMENTS',
  'RESOURCE',
])

/** Longer texts than others can have line breaks. */
export function isLongText(question: Question): boolean {
  return question.type === 'TEXT' && linkedFieldOf(question) === null
}

export interface CheckedAnswers {
  shown: Question[]
  /** By question, as texts. Only of questions that show and have an answer. */
  answers: Map<string, string>
  /** Problems by question. */
  errors: Map<string, string>
}

export function checkAnswers(
  questions: readonly Question[],
  values: Values,
  choices: Choices,
): CheckedAnswers {
  const answers = new Map<string, string>()
  const errors = new Map<string, string>()
  const shown = shownQuestions(questions, values)
  for (const question of shown) {
    if (question.type === 'DISPLAYTEXT') continue
    const options = optionsOf(question, choices)
    const entered = (values.get(question.id) ?? []).map(normalize).filter((value) => value !== '')
    const problem = problemOf(question, entered, options)
    if (problem !== null) errors.set(question.id, problem)
    else if (entered.length > 0) answers.set(question.id, answerText(question, entered, options))
  }
  return { shown, answers, errors }
}

/** Without the line breaks of browsers, and without white space around it. */
function normalize(value: string): string {
  return value.replaceAll(/\r\n?/g, '\n').trim()
}

function problemOf(
  question: Question,
  entered: readonly string[],
  options: readonly string[],
): string | null {
  const { type, isRequired } = question
  if (entered.length === 0) return isRequired ? missing(question, options) : null
  if (options.length > 0) return optionsProblem(question, entered, options)
  const [value = ''] = entered
  const max = isLongText(question) ? TEXT_MAX : LINE_MAX
  if (!hasAtMostCodePoints(value, max)) return `Use at most ${max.toLocaleString('en-US')} characters.`
  const field = linkedFieldOf(question)
  return TYPE_PROBLEMS[type]?.(value) ?? (field === null ? null : FIELD_PROBLEMS[field]?.(value)) ?? null
}

function missing({ type }: Question, options: readonly string[]): string {
  if (type === 'ACKNOWLEDGEMENTS' && options.length > 0)
    return options.length === 1 ? 'Check this box to continue.' : 'Check every box to continue.'
  if (options.length > 0) return hasManyAnswers(type) ? 'Choose at least one.' : 'Choose one of the options.'
  return MISSING[type] ?? 'Enter an answer.'
}

const MISSING: Partial<Record<QuestionType, string>> = {
  DATE: 'Choose a date.',
  TIME: 'Enter a time, such as 18:30.',
  NUMBER: 'Enter a number.',
  STAFFING_CALCULATOR: 'Enter a number.',
  ADDRESS: 'Enter an address.',
}

function optionsProblem(
  { type, isRequired }: Question,
  entered: readonly string[],
  options: readonly string[],
): string | null {
  const isMany = hasManyAnswers(type)
  const known = new Set(options.map(normalize))
  const chosen = isMany ? entered : entered.slice(0, 1)
  if (!chosen.every((value) => known.has(value))) return 'Choose from the options.'
  if (type === 'ACKNOWLEDGEMENTS' && isRequired && new Set(chosen).size < known.size)
    return 'Check every box to continue.'
  return null
}

/** Of many options those that were chosen, in the order of the form. */
function answerText({ type }: Question, entered: readonly string[], options: readonly string[]): string {
  if (options.length === 0 || !hasManyAnswers(type)) return entered[0] ?? ''
  return options.filter((option) => entered.includes(normalize(option))).join(', ')
}

/** The values that an answer consists of, as far as the options still exist. */
export function valuesOfAnswer(question: Question, text: string, choices: Choices): string[] {
  const options = optionsOf(question, choices)
  if (options.length === 0 || !hasManyAnswers(question.type)) return [text]
  const longestFirst = options.toSorted((a, b) => b.length - a.length)
  const values: string[] = []
  let rest = text
  while (rest !== '') {
    const start = rest
    const found = longestFirst.find((option) => start === option || start.startsWith(`${option}, `))
    if (found === undefined) return values
    values.push(found)
    rest = start.slice(found.length + 2)
  }
  return values
}

type Check = (value: string) => string | null
const check =
  (isValid: (value: string) => boolean, message: string): Check =>
  (value) =>
    isValid(value) ? null : message

const isCount = (value: string) => /^\d{1,7}$/.test(value) && Number(value) <= COUNT_MAX

const TYPE_PROBLEMS: Partial<Record<QuestionType, Check>> = {
  DATE: check(isCalendarDay, 'Enter a date as year, month and day, such as 2027-05-30.'),
  TIME: check((value) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value), 'Enter a time, such as 18:30.'),
  NUMBER: check((value) => /^-?\d{1,12}(?:\.\d{1,6})?$/.test(value), 'Enter a number, such as 80.'),
  STAFFING_CALCULATOR: check(isCount, 'Enter a whole number, such as 4.'),
}

const FIELD_PROBLEMS: Partial<Record<LinkedField, Check>> = {
  email: check(isEmailAddress, 'Enter an email address, such as name@example.com.'),
  guestCount: check((value) => isCount(value) && Number(value) > 0, 'Enter a whole number of at least 1.'),
}
