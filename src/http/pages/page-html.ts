/** HTML by hand: a page's frame, and the one way to put a text into it. */
import { INVOICE_STYLE } from './invoice-style.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** `body` is HTML; the title is text. */
export function pageOf({ locale, title, body }: { locale: string; title: string; body: string }): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${INVOICE_STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`
}
