/**
 * A message as text and as HTML, both written from the same blocks, so that they say the same. The HTML has tables and inline
 * styles only, which all mail programs understand, and loads nothing.
 */
import { parseColor, readableAccent } from '../accent-color.ts'
import { escapeHtml } from '../escape-html.ts'
import { oneLine, textLines } from './header-text.ts'

/** The company as messages show it. */
export interface MailBrand {
  name: string
  /** Such as #1f6f5c; it is darkened until white text on it is readable. Null: a neutral color. */
  accentColor: string | null
  /** Legal name, address and how to reach the company, a line each. */
  footer: readonly string[]
}

type MailBlock =
  | { type: 'text'; text: string }
  /** Text of the sender, with its line breaks. */
  | { type: 'letter'; text: string }
  /** Text that the customer wrote, with its line breaks. */
  | { type: 'quotation'; text: string }
  | { type: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  | { type: 'button'; label: string; url: string }

export interface MailContent {
  subject: string
  heading: string
  blocks: readonly MailBlock[]
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

const NEUTRAL = '#1f3a5f'
const SUBJECT_MAX = 200

export function renderMail(brand: MailBrand, { subject, heading, blocks }: MailContent): RenderedMail {
  return {
    subject: oneLine(subject, SUBJECT_MAX) || oneLine(brand.name, SUBJECT_MAX) || 'Message',
    text: textOf(brand, heading, blocks),
    html: htmlOf(brand, heading, blocks),
  }
}

function textOf(brand: MailBrand, heading: string, blocks: readonly MailBlock[]): string {
  const footer = [brand.name, ...brand.footer].map((part) => oneLine(part))
  const parts = [oneLine(heading), ...blocks.map(blockText), ['-- ', ...footer].join('\n')]
  return `${parts.join('\n\n')}\n`
}

function blockText(block: MailBlock): string {
  if (block.type === 'text') return oneLine(block.text)
  if (block.type === 'letter') return textLines(block.text).join('\n')
  if (block.type === 'button') return `${oneLine(block.label)}:\n${block.url}`
  if (block.type === 'facts')
    return block.facts.map(([label, value]) => `${oneLine(label)}: ${oneLine(value)}`).join('\n')
  return textLines(block.text)
    .map((written) => `> ${written}`.trimEnd())
    .join('\n')
}

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

const line = (text: string) => escapeHtml(oneLine(text))

function htmlOf(brand: MailBrand, heading: string, blocks: readonly MailBlock[]): string {
  const color = readableAccent(parseColor(brand.accentColor ?? '') ?? NEUTRAL).onLight
  const footer = [brand.name, ...brand.footer].map(line).join('<br>')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${line(heading)}</title></head>
<body style="margin:0;padding:0;background-color:#f3f4f6">
<table ${TABLE} width="100%" style="background-color:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table ${TABLE} width="100%" style="max-width:600px;background-color:#ffffff;border:1px solid #e0e3e8;border-radius:8px">
<tr><td style="padding:16px 24px;background-color:${color};border-radius:8px 8px 0 0;${FONT};font-size:16px;font-weight:bold;color:#ffffff">${line(brand.name)}</td></tr>
<tr><td style="padding:24px;${FONT};font-size:16px;line-height:24px;color:#1c2430">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:bold;color:#1c2430">${line(heading)}</h1>
${blocks.map((block) => blockHtml(block, color)).join('\n')}
</td></tr>
<tr><td style="padding:16px 24px;border-top:1px solid #e0e3e8;${FONT};font-size:13px;line-height:20px;color:#5b6472">${footer}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function blockHtml(block: MailBlock, color: string): string {
  if (block.type === 'text') return `<p style="margin:0 0 16px">${line(block.text)}</p>`
  if (block.type === 'letter')
    return `<p style="margin:0 0 16px">${textLines(block.text).map(escapeHtml).join('<br>')}</p>`
  if (block.type === 'quotation') {
    const lines = textLines(block.text).map(escapeHtml).join('<br>')
    return `<table ${TABLE} width="100%" style="margin:0 0 16px"><tr><td style="padding:4px 0 4px 14px;border-left:3px solid ${color}">${lines}</td></tr></table>`
  }
  if (block.type === 'facts') {
    const rows = block.facts.map(
      ([label, value]) =>
        `<tr><td valign="top" style="padding:4px 16px 4px 0;color:#5b6472">${line(label)}</td><td valign="top" style="padding:4px 0">${line(value)}</td></tr>`,
    )
    return `<table ${TABLE} style="margin:0 0 16px">${rows.join('')}</table>`
  }
  const url = escapeHtml(block.url)
  return `<table ${TABLE} style="margin:8px 0 16px"><tr><td style="background-color:${color};border-radius:6px"><a href="${url}" style="display:inline-block;padding:12px 20px;font-weight:bold;color:#ffffff;text-decoration:none">${line(block.label)}</a></td></tr></table>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#5b6472;word-break:break-all">${url}</p>`
}
