/** `/i/<token>`: the invoice page for customers. HTML without scripts, for phones and for print. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DbPool } from '../db/statement.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { InvoiceTokens } from '../core/security/invoice-token.ts'
import { findLogo } from '../records/company/profile.ts'
import { findPrintedInvoice } from '../records/invoice/queries.ts'
import type { Admission } from '../http/admission.ts'
import { basePath, fontFaces } from '../http/fonts.ts'
import { companyStyle } from './company-header.ts'
import { renderInvoice } from './invoice-html.ts'
import { drawInvoice } from './invoice-pdf.ts'
import { INVOICE_STYLE } from './invoice-style.ts'
import { viewInvoice } from './invoice-view.ts'
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

  const find = async (token: string) => {
    const ref = tokens.open(token)
    return ref === null ? null : admission.run(() => findPrintedInvoice(db, ref.companyId, ref.invoiceId))
  }

  app.get('/i/:token', { errorHandler: sendFailure }, async (request, reply) => {
    const { fonts, base, notFound, send } = frame()
    const { token } = request.params as { token: string }
    const invoice = await find(token)
    if (invoice === null) return send(reply.code(404), notFound)
    const style = `${fonts}${companyStyle(invoice.accentColor)}${INVOICE_STYLE}`
    const look = { ...invoice, name: invoice.companyName }
    const view = viewInvoice(invoice, reading(request))
    const pdf = `${base}i/${encodeURIComponent(token)}/pdf`
    return send(reply, renderInvoice(view, { look, style, base, pdf }), {
      style,
      hasImages: look.logoHash !== null,
    })
  })
  app.get('/i/:token/pdf', { errorHandler: sendFailure }, async (request, reply) => {
    const { notFound, send } = frame()
    const { token } = request.params as { token: string }
    const invoice = await find(token)
    if (invoice === null) return send(reply.code(404), notFound)
    const { companyId, logoHash: hash } = invoice
    const logo = hash === null ? null : await admission.run(() => findLogo(db, companyId, hash))
    const view = viewInvoice(invoice, reading(request))
    const isAwaited = () => !request.socket.destroyed
    const bytes = await drawInvoice(view, invoice.accentColor, logo, isAwaited)
    return reply
      .headers({
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'no-store',
        'content-disposition': `inline; filename="invoice.pdf"`,
      })
      .type('application/pdf')
      .send(bytes)
  })
  // Links are sometimes opened with a trailing slash.
  app.get('/i/:token/*', (_request, reply) => {
    const { notFound, send } = frame()
    return send(reply.code(404), notFound)
  })
}

const reading = ({ headers }: FastifyRequest) => ({
  now: new Date().toISOString(),
  acceptLanguage: headers['accept-language'],
})

/** Shared by all invoice pages. */
interface PageFrame {
  /** CSS. */
  fonts: string
  /** The path of the service. */
  base: string
  notFound: string
  failure: string
  /** `look` is that of the company, which messages do not have. */
  send: (reply: FastifyReply, html: string, look?: { style: string; hasImages: boolean }) => FastifyReply
}

function createFrame(publicUrl: string): PageFrame {
  const base = basePath(publicUrl)
  const fonts = fontFaces(base)
  const plain = `${fonts}${companyStyle(null)}${INVOICE_STYLE}`
  const send: PageFrame['send'] = (reply, html, { style, hasImages } = { style: plain, hasImages: false }) =>
    reply
      .headers({
        'content-security-policy': pagePolicy(style, { hasImages }),
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(html)
  return {
    fonts,
    base,
    notFound: messagePage(
      plain,
      'Invoice not found',
      'The link may be incomplete or mistyped. Open it again from the message it came in, or ask the company that sent it for a new link.',
    ),
    failure: messagePage(
      plain,
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
