/** `/q/<token>`: the quote page for customers. It works without scripts; a script only updates the total at once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptQuote } from '../actions/accept-quote.ts'
import { runAction } from '../actions/action.ts'
import type { ActionContext } from '../actions/action.ts'
import { askQuestion, declineQuote, recordQuoteView } from '../actions/customer-quote.ts'
import type { RevisionTarget } from '../actions/customer-quote.ts'
import { parseChoices } from '../core/quotes/customer-choices.ts'
import { offerOf } from '../core/quotes/offer.ts'
import { readRevision } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { revisionState } from '../core/quotes/revision-state.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { QuoteTokens } from '../core/security/quote-token.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { DbPool } from '../db/statement.ts'
import type { Admission } from '../http/admission.ts'
import { FORM_BODY_MAX_BYTES, parseFormBody } from '../http/form-body.ts'
import type { Outbox } from '../records/mail/queue.ts'
import { findProfile } from '../records/company/profile.ts'
import { findRevisionStanding } from '../records/quote-revision/queries.ts'
import { acceptanceOf, acceptedChoice, pathOf, sendQuote } from './opened-revision.ts'
import type { OpenedRevision, Shown } from './opened-revision.ts'
import { createQuoteFrame } from './quote-frame.ts'
import type { QuoteFrame } from './quote-frame.ts'
import { readAcceptance, readChosen, readDecline, readQuestion } from './quote-forms.ts'
import { NO_ENTRIES } from './quote-html.ts'
import { renderQuotePdf } from './quote-pdf.ts'

export interface QuotePageParts extends Pick<Presentation, 'invoiceUrl' | 'quoteUrl'> {
  db: DbPool
  tokens: QuoteTokens
  admission: Admission
  publicUrl: () => string
  /** Absent if mail is not configured. */
  outbox: Outbox | undefined
  addressOf: (request: FastifyRequest) => string | null
  /** Whether a user of the company sent the request. */
  isUserOf: (request: FastifyRequest, companyId: string) => Promise<boolean>
}

const USER_AGENT_MAX = 400

export function registerQuotePage(app: FastifyInstance, parts: QuotePageParts): void {
  let known: QuoteFrame | undefined
  // The public URL is unknown until the process listens.
  const frame = () => (known ??= createQuoteFrame(parts.publicUrl()))
  const options = {
    bodyLimit: FORM_BODY_MAX_BYTES,
    errorHandler: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      frame().sendFailure(error, request, reply),
  }
  const open = (request: FastifyRequest) => openRevision(parts, request)

  app.get('/q/:token', options, async (request, reply) => {
    const opened = await open(request)
    if (opened === null) return frame().sendNotFound(reply)
    if (opened.state === 'replaced') return frame().sendReplaced(reply)
    if (request.method === 'GET') await noteView(parts, request, opened)
    const query = queryOf(request)
    return sendQuote(frame(), request, reply, opened, {
      chosen: chosenIn(query, opened.revision),
      notice: query.has('asked') ? 'asked' : null,
    })
  })

  app.get('/q/:token/pdf', options, async (request, reply) => {
    const opened = await open(request)
    if (opened === null) return frame().sendNotFound(reply)
    if (opened.state === 'replaced') return frame().sendReplaced(reply)
    const { revision, standing } = opened
    const offer = offerOf(revision, acceptedChoice(opened) ?? chosenIn(queryOf(request), revision))
    const document = { revision, offer, sha256: standing.sha256, acceptance: acceptanceOf(standing) }
    const bytes = await renderQuotePdf(document, () => !request.socket.destroyed)
    return frame().sendPdf(reply, `quote-${revision.number ?? revision.revision}`, bytes)
  })

  const post = (verb: string, answer: (form: SentForm) => Promise<FastifyReply>) =>
    app.post(`/q/:token/${verb}`, options, async (request, reply) => {
      const fields = parseFormBody(request.headers['content-type'], request.body)
      const opened = await open(request)
      if (opened === null) return frame().sendNotFound(reply)
      if (opened.state === 'replaced') return frame().sendReplaced(reply)
      const show = (status: number, shown: Shown) =>
        // The quote can have been sent again in the meantime.
        opened.state === 'replaced'
          ? frame().sendReplaced(reply)
          : sendQuote(frame(), request, reply.code(status), opened, shown)
      return answer({ parts, request, reply, opened, fields, path: pathOf(frame(), request), show })
    })

  post('choices', async ({ reply, opened, fields, path }) => {
    const chosen = readChosen(fields, opened.revision.content.lines)
    return reply.redirect(`${path}?choices=${chosen.join(',')}`, 303)
  })
  post('accept', answerAcceptance)
  post('decline', answerDecline)
  post('question', answerQuestion)
}

const queryOf = (request: FastifyRequest) => new URL(request.url, 'http://localhost').searchParams

/** Undefined without a valid choice. */
function chosenIn(query: URLSearchParams, { content }: Revision): number[] | undefined {
  const choices = query.get('choices')
  return choices === null ? undefined : (parseChoices(choices, content.lines) ?? undefined)
}

interface SentForm {
  parts: QuotePageParts
  request: FastifyRequest
  reply: FastifyReply
  opened: OpenedRevision
  fields: URLSearchParams
  path: string
  show: (status: number, shown: Shown) => FastifyReply
}

async function answerAcceptance(form: SentForm): Promise<FastifyReply> {
  const { parts, request, opened, fields } = form
  const { chosen, errors, entered } = readAcceptance(fields, opened.revision)
  if (Object.keys(errors).length > 0) {
    // Sent twice: the page shows the receipt.
    return opened.standing.acceptedName === null
      ? form.show(400, { chosen, errors, entered })
      : form.reply.redirect(form.path, 303)
  }
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null
  const signature = { name: entered.name, chosen, address: parts.addressOf(request), userAgent }
  return answerAction(form, { chosen, entered }, (context, target) =>
    runAction({ ...context, actor: { ...context.actor, name: entered.name } }, acceptQuote, {
      ...target,
      ...signature,
    }),
  )
}

async function answerDecline(form: SentForm): Promise<FastifyReply> {
  const { errors, ...decline } = readDecline(form.fields)
  if (Object.keys(errors).length > 0) return form.show(400, { errors })
  return answerAction(form, {}, (context, target) =>
    runAction(context, declineQuote, { ...target, ...decline }),
  )
}

async function answerQuestion(form: SentForm): Promise<FastifyReply> {
  const { text, errors } = readQuestion(form.fields)
  const entered = { ...NO_ENTRIES, question: text }
  if (Object.keys(errors).length > 0) return form.show(400, { errors, entered })
  const path = `${form.path}?asked`
  return answerAction({ ...form, path }, { entered }, (context, target) =>
    runAction(context, askQuestion, { ...target, text }),
  )
}

/** Runs the action and leads back to the page, which shows the result. A refusal is shown on the page as it is now. */
async function answerAction(
  { parts, opened, request, reply, path, show }: SentForm,
  shown: Shown,
  run: (context: ActionContext, target: RevisionTarget) => Promise<unknown>,
): Promise<FastifyReply> {
  try {
    const { quoteId, revision } = opened.ref
    await parts.admission.run(() => run(contextOf(parts, opened), { quoteId, revision }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'not_found') throw error
    const now = await openRevision(parts, request)
    if (now !== null) Object.assign(opened, now)
    return show(error.status, { ...shown, errors: { form: error.message } })
  }
  return reply.redirect(path, 303)
}

function contextOf(parts: QuotePageParts, { ref, revision }: OpenedRevision): ActionContext {
  const { db: pool, invoiceUrl, quoteUrl, outbox } = parts
  const { name } = revision.customer
  return {
    pool,
    companyId: ref.companyId,
    actor: { type: 'customer', id: null, name: name === '' ? null : name },
    caller: 'customer',
    presentation: { now: new Date().toISOString(), invoiceUrl, quoteUrl },
    outbox,
  }
}

async function openRevision(parts: QuotePageParts, request: FastifyRequest): Promise<OpenedRevision | null> {
  const ref = parts.tokens.open((request.params as { token: string }).token)
  if (ref === null) return null
  const { companyId, quoteId, revision: number } = ref
  const [standing, profile] = await parts.admission.run(() =>
    Promise.all([
      findRevisionStanding(parts.db, companyId, quoteId, number),
      findProfile(parts.db, companyId),
    ]),
  )
  const revision = standing === null ? null : readRevision(standing.content)
  if (standing === null || revision === null) return null
  const state = revisionState(revision, standing, new Date().toISOString())
  return { ref, revision, standing, state, hasLogo: profile?.logoHash === revision.seller.logoHash }
}

/** Once, and not for users of the company, who look at their own quotes. A failure must not keep the customer from reading. */
async function noteView(
  parts: QuotePageParts,
  request: FastifyRequest,
  opened: OpenedRevision,
): Promise<void> {
  if (opened.standing.viewedAt !== null) return
  const { companyId, quoteId, revision } = opened.ref
  try {
    if (await parts.isUserOf(request, companyId)) return
    await runAction(contextOf(parts, opened), recordQuoteView, { quoteId, revision })
  } catch (error) {
    request.log.warn({ err: error }, 'the view of a quote was not recorded')
  }
}
