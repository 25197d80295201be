/** Texts, JSON and code as HTML. Everything that is not markup goes through `escapeHtml`. */
import { escapeHtml } from '../pages/page-html.ts'

/** Paragraphs, with `code` in backticks: all the Markdown that our descriptions use. */
export function textHtml(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('\n')
}

export function inlineHtml(markdown: string): string {
  return escapeHtml(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** Strings of all three languages, and the JSON words and numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:true|false|null)\b|-?\b\d[\d.]*\b/g

/** Code with its tokens marked for the style sheet. */
function codeHtml(code: string): string {
  let html = ''
  let at = 0
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    const end = index + token.length
    const isString = token.startsWith('"') || token.startsWith("'")
    const kind = !isString ? 'value' : code.startsWith('":', end - 1) ? 'name' : 'string'
    html += `${escapeHtml(code.slice(at, index))}<span class="${kind}">${escapeHtml(token)}</span>`
    at = end
  }
  return html + escapeHtml(code.slice(at))
}

/** A block that scrolls by itself, so it takes the focus. */
export function codeBlock(label: string, code: string): string {
  return `<pre class="block" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${codeHtml(code)}</code></pre>`
}
