/** Texts, JSON and code as HTML. Everything that is not markup goes through `escapeHtml`. */
import { escapeHtml } from '../../pages/page-html.ts'

/** A text before the first heading has no title. */
interface MarkdownSection {
  title: string
  markdown: string
}

/** Splits a description at its `## ` headings. */
export function sectionsOf(markdown: string): MarkdownSection[] {
  return `\n\n${markdown}`.split('\n\n## ').map((part, index) => {
    if (index === 0) return { title: '', markdown: part.trim() }
    const [title = '', ...paragraphs] = part.split('\n\n')
    return { title, markdown: paragraphs.join('\n\n') }
  })
}

/** Paragraphs with `code` in backticks. Headings are split off by `sectionsOf`. */
export function textHtml(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('\n')
}

export function inlineHtml(markdown: string): string {
  return escapeHtml(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** The words and numbers of JSON. */
const VALUES = /\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g

/** Code with its strings, words and numbers marked for the style sheet. */
function codeHtml(code: string): string {
  let html = ''
  let at = 0
  while (at < code.length) {
    const start = findQuote(code, at)
    const end = findStringEnd(code, start)
    const text = code.slice(start, end)
    html += escapeHtml(code.slice(at, start)).replaceAll(VALUES, '<span class="value">$&</span>')
    if (text !== '') {
      const kind = code.startsWith('":', end - 1) ? 'name' : 'string'
      html += `<span class="${kind}">${escapeHtml(text)}</span>`
    }
    at = end
  }
  return html
}

function findQuote(code: string, from: number): number {
  let at = from
  while (at < code.length && code[at] !== '"' && code[at] !== "'") at++
  return at
}

/** After the closing quote of the string that starts here. */
function findStringEnd(code: string, start: number): number {
  let at = start + 1
  while (at < code.length && code[at] !== code[start]) at += code[at] === '\\' ? 2 : 1
  return Math.min(at + 1, code.length)
}

/** A block that scrolls by itself, so it takes the focus. */
export function codeBlock(label: string, code: string): string {
  return `<pre class="block" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${codeHtml(code)}</code></pre>`
}
