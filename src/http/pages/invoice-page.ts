/** `/i/<token>`: an invoice as a customer sees it. HTML without script, good on a phone and on paper. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ApiError } from '../../core/errors.ts'
import type { InvoiceTokens } from '../../core/invoice-token.ts'
import { findPrintedInvoice } from '../../db/invoices.ts'
import type { Admission } from '../admission.ts'
import { renderInvoice } from './invoice-html.ts'
import { INVOICE_STYLE } from './invoice-style.ts'
import { pageOf } from './page-html.ts'

/** The one style sheet is inside the page and known by its hash; nothing else may load or run. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(INVOICE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function registerInvoicePage(
  app: FastifyInstance,
  db: Pool,
  tokens: InvoiceTokens,
  admission: Admission,
): void {
  app.get('/i/:token', { errorHandler: sendFailure }, async (request, reply) => {
    const { token } = request.params as { token: string }
    const ref = tokens.open(token)
    const invoice =
      ref === null ? null : await admission.run(() => findPrintedInvoice(db, ref.companyId, ref.invoiceId))
    if (invoice === null) return sendPage(reply.code(404), NOT_FOUND)
    const html = renderInvoice(invoice, new Date().toISOString(), request.headers['accept-language'])
    return sendPage(reply, html)
  })
  // A link with something behind it, a slash say, is still opened by a person.
  app.get('/i/:token/*', (_request, reply) => sendPage(reply.code(404), NOT_FOUND))
}

/** To a person, too, what goes wrong on our side is said in words. */
function sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof ApiError && error.status < 500) throw error
  if (error instanceof ApiError) {
    void sendPage(reply.code(error.status).headers(error.headers), FAILURE)
    return
  }
  request.log.error({ err: error }, 'request failed')
  void sendPage(reply.code(500), FAILURE)
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({
      'content-security-policy': POLICY,
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}

const NOT_FOUND = messagePage(
  'This invoice cannot be found',
  'The link may be incomplete or mistyped. Open it again from the message it came in, or ask the company that sent it for a new one.',
)

const FAILURE = messagePage(
  'This invoice cannot be shown right now',
  'Something went wrong on our side. The link is fine: please open it again in a few minutes.',
)

function messagePage(title: string, text: string): string {
  const body = `<main class="sheet lost"><h1>${title}</h1><p>${text}</p></main>`
  return pageOf({ locale: 'en', title, body })
}
