/** The questions of a form as HTML. */
import { TEXT_MAX, isLongText, optionsOf } from '../core/forms/answers.ts'
import type { Choices } from '../core/forms/answers.ts'
import { hasManyAnswers, linkedFieldOf } from '../core/forms/question.ts'
import type { LinkedField, Question, Values } from '../core/forms/question.ts'
import { escapeHtml } from './page-html.ts'

export interface Asked {
  question: Question
  /** Position in the form. Ids of elements contain it, since ids of questions can contain anything. */
  at: number
  /** Position of the question that it depends on; null if it always shows. */
  when: number | null
  isShown: boolean
  values: readonly string[]
  error: string | undefined
}

/** With what the visitor has entered so far. */
export function askAll(
  questions: readonly Question[],
  {
    values,
    shown,
    errors,
  }: { values: Values; shown: ReadonlySet<string>; errors: ReadonlyMap<string, string> },
): Asked[] {
  return questions.map((question, at) => {
    const when = questions.findIndex(({ id }) => id === question.showWhen?.questionId)
    return {
      question,
      at,
      when: when === -1 || when >= at ? null : when,
      isShown: shown.has(question.id),
      values: values.get(question.id) ?? [],
      error: errors.get(question.id),
    }
  })
}

/** The element that a link to a problem leads to. */
export const fieldId = (at: number) => `q${at}`

export function questionHtml(asked: Asked, choices: Choices): string {
  const { question, at, when, isShown, error } = asked
  const options = optionsOf(question, choices)
  const isGroup = options.length > 0 && question.type !== 'DROPDOWN' && question.type !== 'RESOURCE'
  const attributes = [
    `data-at="${at}"`,
    ...(when === null ? [] : [`data-when="${when}"`, `data-equals="${escapeHtml(folded(question))}"`]),
    ...(isShown ? [] : ['hidden', 'disabled']),
    ...(isGroup ? describedBy(asked) : ['role="presentation"']),
  ]
  // Tells the server which conditional questions the visitor has seen.
  const seen = when === null ? '' : `<input type="hidden" name="seen" value="${escapeHtml(question.id)}">`
  const content = isGroup ? groupHtml(asked, options) : fieldHtml(asked, options)
  return `<fieldset class="question${error === undefined ? '' : ' invalid'}" ${attributes.join(' ')}>${seen}${content}</fieldset>`
}

const folded = ({ showWhen }: Question) => showWhen?.equals.trim().toLowerCase() ?? ''

function describedBy({ question, at, error }: Asked): string[] {
  const ids = [...(question.subtitle === null ? [] : [`h${at}`]), ...(error === undefined ? [] : [`e${at}`])]
  return ids.length === 0 ? [] : [`aria-describedby="${ids.join(' ')}"`]
}

function titleHtml({ title, isRequired }: Question): string {
  return `${escapeHtml(title)}${isRequired ? '' : ' <span class="optional">(optional)</span>'}`
}

function hintHtml({ question, at }: Asked): string {
  return question.subtitle === null ? '' : `<p class="hint" id="h${at}">${escapeHtml(question.subtitle)}</p>`
}

function errorHtml({ at, error }: Asked): string {
  return error === undefined ? '' : `<p class="error" id="e${at}">${escapeHtml(error)}</p>`
}

/** Radio buttons or checkboxes. */
function groupHtml(asked: Asked, options: readonly string[]): string {
  const { question, at, values } = asked
  const type = hasManyAnswers(question.type) ? 'checkbox' : 'radio'
  const inputs = options.map((option, i) => {
    const id = i === 0 ? fieldId(at) : `${fieldId(at)}-${i}`
    const checked = values.includes(option) ? ' checked' : ''
    return `<label class="choice"><input type="${type}" id="${id}" name="${nameOf(question)}" value="${escapeHtml(option)}"${checked}><span>${escapeHtml(option)}</span></label>`
  })
  return `<legend>${titleHtml(question)}</legend>${hintHtml(asked)}${inputs.join('')}${errorHtml(asked)}`
}

const nameOf = ({ id }: Question) => escapeHtml(`q.${id}`)

function fieldHtml(asked: Asked, options: readonly string[]): string {
  const { question, at } = asked
  if (question.type === 'DISPLAYTEXT') {
    const text = question.subtitle === null ? '' : `<p class="text">${escapeHtml(question.subtitle)}</p>`
    return `<h2>${escapeHtml(question.title)}</h2>${text}`
  }
  const label = `<label class="title" for="${fieldId(at)}">${titleHtml(question)}</label>`
  return `${label}${hintHtml(asked)}${inputHtml(asked, options)}${errorHtml(asked)}`
}

function inputHtml(asked: Asked, options: readonly string[]): string {
  const { question, at, values, error } = asked
  const attributes = [
    `id="${fieldId(at)}"`,
    `name="${nameOf(question)}"`,
    ...describedBy(asked),
    ...(question.isRequired ? ['aria-required="true"'] : []),
    ...(error === undefined ? [] : ['aria-invalid="true"']),
  ].join(' ')
  const [value = ''] = values
  if (options.length > 0) {
    const listed = options.map(
      (option) =>
        `<option value="${escapeHtml(option)}"${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`,
    )
    return `<select ${attributes}><option value="">Choose…</option>${listed.join('')}</select>`
  }
  // The parser drops a line break at the beginning.
  if (isLongText(question))
    return `<textarea ${attributes} rows="4" maxlength="${TEXT_MAX}">\n${escapeHtml(value)}</textarea>`
  return `<input ${attributes} ${inputType(question)} value="${escapeHtml(value)}">`
}

function inputType(question: Question): string {
  const { type } = question
  if (type === 'DATE') return 'type="date" class="short"'
  if (type === 'TIME') return 'type="time" class="short"'
  if (type === 'NUMBER') return 'type="text" inputmode="decimal" autocomplete="off" class="short"'
  if (type === 'STAFFING_CALCULATOR')
    return 'type="text" inputmode="numeric" autocomplete="off" class="short"'
  const field = linkedFieldOf(question)
  return (field === null ? undefined : INPUTS[field]) ?? 'type="text"'
}

const INPUTS: Partial<Record<LinkedField, string>> = {
  name: 'type="text" autocomplete="name"',
  firstName: 'type="text" autocomplete="given-name"',
  lastName: 'type="text" autocomplete="family-name"',
  email: 'type="email" autocomplete="email"',
  phone: 'type="tel" autocomplete="tel"',
  companyName: 'type="text" autocomplete="organization"',
  eventAddress: 'type="text" autocomplete="off"',
}
