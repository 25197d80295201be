/** The page of a form as HTML, and the pages that stand for it. */
import type { Choices } from '../core/forms/answers.ts'
import { shownQuestions } from '../core/forms/question.ts'
import type { Question, Values } from '../core/forms/question.ts'
import { companyHeader, companyStyle } from './company-header.ts'
import type { CompanyLook } from './company-header.ts'
import { FORM_STYLE } from './form-style.ts'
import { escapeHtml, pageOf } from './page-html.ts'
import { askAll, fieldId, questionHtml } from './question-html.ts'
import type { Asked } from './question-html.ts'

/** The hidden field that only programs fill in. */
export const TRAP = 'website'

export interface FormShown {
  look: CompanyLook
  name: string
  questions: readonly Question[]
  choices: Choices
  values: Values
  errors: ReadonlyMap<string, string>
  /** Why the form was not accepted. */
  notice: string | null
  stamp: string
  /** Text of the button. */
  send: string
}

export interface Frame {
  /** The path of the service, with a trailing slash. */
  base: string
  style: string
}

export function formStyle(fonts: string, accentColor: string | null): string {
  return `${fonts}\n${companyStyle(accentColor)}\n${FORM_STYLE}`
}

export function renderForm(form: FormShown, { base, style }: Frame): string {
  const { name, look, questions, values, errors, choices } = form
  const shown = new Set(shownQuestions(questions, values).map(({ id }) => id))
  const asked = askAll(questions, { values, shown, errors })
  const body = `<main class="sheet">
${companyHeader(look, base)}
<h1>${escapeHtml(name)}</h1>
${problemsHtml(asked, form.notice)}
<form class="questions" method="post" novalidate>
<input type="hidden" name="stamp" value="${escapeHtml(form.stamp)}">
<div class="more" aria-hidden="true"><label for="more">Leave this empty</label><input type="text" id="more" name="${TRAP}" tabindex="-1" autocomplete="off"></div>
${asked.map((each) => questionHtml(each, choices)).join('\n')}
<button>${escapeHtml(form.send)}</button>
</form>
<script src="${escapeHtml(base)}f/form.js" defer></script>
</main>`
  const hasProblem = errors.size > 0 || form.notice !== null
  const title = `${hasProblem ? 'Not sent yet: ' : ''}${name} · ${look.name}`
  return pageOf({ locale: 'en', title, body, style })
}

/** At the top, with a link to each field. A screen reader begins here. */
function problemsHtml(asked: readonly Asked[], notice: string | null): string {
  const links = asked.flatMap(({ at, error, isShown, question }) =>
    error === undefined || !isShown
      ? []
      : [`<li><a href="#${fieldId(at)}">${escapeHtml(question.title)}</a>: ${escapeHtml(error)}</li>`],
  )
  const text = notice ?? (links.length === 0 ? null : 'Not sent yet. Check these answers:')
  if (text === null) return ''
  const list = links.length === 0 ? '' : `<ul>${links.join('')}</ul>`
  return `<div class="problems" role="alert" tabindex="-1"><p>${escapeHtml(text)}</p>${list}</div>`
}

export function renderMessage(
  { look, title, text }: { look: CompanyLook | null; title: string; text: string },
  { base, style }: Frame,
): string {
  const header = look === null ? '' : companyHeader(look, base)
  const body = `<main class="sheet message">${header}<h1>${escapeHtml(title)}</h1><p class="text">${escapeHtml(text)}</p>
<script src="${escapeHtml(base)}f/form.js" defer></script></main>`
  return pageOf({ locale: 'en', title: look === null ? title : `${title} · ${look.name}`, body, style })
}
