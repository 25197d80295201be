/** Page frame for server-rendered pages. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../core/escape-html.ts'

export { escapeHtml }

interface PolicyParts {
  hasImages?: boolean
  /** Files of this service. */
  hasScripts?: boolean
  hasForms?: boolean
  /** Origins of the sites that may show the page in a frame. */
  frameAncestors?: readonly string[]
}

/** The inline style sheet is allowed by its hash. Besides it, only our own fonts may load, and other own files if it has any. */
export function pagePolicy(
  style: string,
  { hasImages = false, hasScripts = false, hasForms = false, frameAncestors = [] }: PolicyParts = {},
): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "font-src 'self'",
    ...(hasImages ? ["img-src 'self'"] : []),
    ...(hasScripts ? ["script-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ')
}

interface PageParts {
  locale: string
  /** Text. */
  title: string
  /** HTML. */
  body: string
  /** CSS. */
  style: string
  /** URL, escaped. */
  icon?: string
}

export function pageOf({ locale, title, body, style, icon }: PageParts): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>${icon === undefined ? '' : `\n<link rel="icon" href="${icon}" type="image/svg+xml">`}
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}
