/** `/i/<token>`: the invoice page for customers. HTML without scripts, for phones and for print. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DbPool } from '../db/statement.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { InvoiceTokens } from '../core/security/invoice-token.ts'
import { findPrintedInvoice } from '../records/invoice/queries.ts'
import type { Admission } from '../http/admission.ts'
import { basePath, fontFaces } from '../http/fonts.ts'
import { renderInvoice } from './invoice-html.ts'
import { INVOICE_STYLE } from './invoice-style.ts'
import { pageOf, pagePolicy } from './page-html.ts'

interface InvoicePageParts {
  db: DbPool
  tokens: InvoiceTokens
  admission: Admission
  publicUrl: () => string
}

export function registerInvoicePage(app: FastifyInstance, parts: InvoicePageParts): void {
  const { db, tokens, admission } = parts
  let known: PageFrame | undefined
  // The public URL is unknown until the process listens.
  const frame = () => (known ??= createFrame(parts.publicUrl()))

  /** Errors on our side are shown as a page, since a person reads it. */
  const sendFailure = (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    if (error instanceof ApiError && error.status < 500) throw error
    const { failure, send } = frame()
    if (error instanceof ApiError) {
      void send(reply.code(error.status).headers(error.headers), failure)
      return
    }
    request.log.error({ err: error }, 'request failed')
    void send(reply.code(500), failure)
  }

  app.get('/i/:token', { errorHandler: sendFailure }, async (request, reply) => {
    const { style, notFound, send } = frame()
    const { token } = request.params as { token: string }
    const ref = tokens.open(token)
    const invoice =
      ref === null ? null : await admission.run(() => findPrintedInvoice(db, ref.companyId, ref.invoiceId))
    if (invoice === null) return send(reply.code(404), notFound)
    const now = new Date().toISOString()
    return send(
      reply,
      renderInvoice(invoice, { now, acceptLanguage: request.headers['accept-language'], style }),
    )
  })
  // Links are sometimes opened with a trailing slash.
  app.get('/i/:token/*', (_request, reply) => {
    const { notFound, send } = frame()
    return send(reply.code(404), notFound)
  })
}

/** Shared by all invoice pages. */
interface PageFrame {
  style: string
  notFound: string
  failure: string
  send: (reply: FastifyReply, html: string) => FastifyReply
}

function createFrame(publicUrl: string): PageFrame {
  const style = `${fontFaces(basePath(publicUrl))}\n${INVOICE_STYLE}`
  const policy = pagePolicy(style)
  const send: PageFrame['send'] = (reply, html) =>
    reply
      .headers({
        'content-security-policy': policy,
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(html)
  return {
    style,
    notFound: messagePage(
      style,
      'Invoice not found',
      'The link may be incomplete or mistyped. Open it again from the message it came in, or ask the company that sent it for a new link.',
    ),
    failure: messagePage(
      style,
      'This invoice is not available right now',
      'Something went wrong on our side. Your link is fine. Please open it again in a few minutes.',
    ),
    send,
  }
}

function messagePage(style: string, title: string, text: string): string {
  const body = `<main class="sheet lost"><h1>${title}</h1><p>${text}</p></main>`
  return pageOf({ locale: 'en', title, body, style })
}
