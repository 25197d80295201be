/** What all answers of the quote page share: headers, style sheet, and the pages without a quote. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../core/requests/errors.ts'
import { basePath, fontFaces } from '../http/fonts.ts'
import { companyStyle } from './company-header.ts'
import { escapeHtml, pageOf, pagePolicy } from './page-html.ts'
import { QUOTE_STYLE } from './quote-style.ts'

export interface QuoteFrame {
  /** The path of the service, with a trailing slash. */
  base: string
  styleOf: (accentColor: string | null) => string
  send: (reply: FastifyReply, html: string, style: string) => FastifyReply
  sendPdf: (reply: FastifyReply, name: string, bytes: Buffer) => FastifyReply
  sendNotFound: (reply: FastifyReply) => FastifyReply
  sendReplaced: (reply: FastifyReply) => FastifyReply
  sendFailure: (error: Error, request: FastifyRequest, reply: FastifyReply) => void
}

const TOO_LARGE = 'Your text is too long. Go back, shorten it, and send it again.'
const UNREADABLE = 'The form could not be read. Go back, check it, and send it again.'

const HEADERS = { 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' }

const send: QuoteFrame['send'] = (reply, html, style) => {
  const policy = pagePolicy(style, { hasImages: true, hasScripts: true, hasForms: true })
  return reply
    .headers({ ...HEADERS, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .send(html)
}

export function createQuoteFrame(publicUrl: string): QuoteFrame {
  const base = basePath(publicUrl)
  const fonts = fontFaces(base)
  const styleOf = (accentColor: string | null) => `${fonts}\n${companyStyle(accentColor)}${QUOTE_STYLE}`
  const sendMessage = (reply: FastifyReply, title: string, text: string) => {
    const style = styleOf(null)
    const body = `<main class="sheet lost"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`
    return send(reply, pageOf({ locale: 'en', title, body, style }), style)
  }
  return {
    base,
    styleOf,
    send,
    sendPdf: (reply, name, bytes) =>
      reply
        .headers({
          ...HEADERS,
          'content-disposition': `inline; filename="${name.replaceAll(/[^\w.-]+/g, '-')}.pdf"`,
        })
        .type('application/pdf')
        .send(bytes),
    sendNotFound: (reply) =>
      sendMessage(
        reply.code(404),
        'Quote not found',
        'The link may be incomplete or mistyped. Open it again from the message it came in, or ask the company that sent it for a new link.',
      ),
    // Shows no data of the old quote.
    sendReplaced: (reply) =>
      sendMessage(
        reply.code(410),
        'There is a newer quote',
        'This quote was replaced by a newer revision. Open the link in the latest message, or ask the company that sent it for the new link.',
      ),
    // Errors are shown as a page, since a person reads them.
    sendFailure: (error, request, reply) => {
      const isKnown = error instanceof ApiError
      const status = isKnown ? error.status : ((error as { statusCode?: number }).statusCode ?? 500)
      if (status < 500) {
        const text = isKnown ? error.message : status === 413 ? TOO_LARGE : UNREADABLE
        void sendMessage(reply.code(status), 'This did not work', text)
        return
      }
      if (isKnown) void reply.headers(error.headers)
      else request.log.error({ err: error }, 'request failed')
      void sendMessage(
        reply.code(status),
        'This quote is not available right now',
        'Something went wrong on our side. Your link is fine. Open it again in a few minutes.',
      )
    },
  }
}
