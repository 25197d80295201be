/** `/f/<slug>`: the public quote form. `/f/b/<token>`: the form of a booking. HTML that works without scripts. */
import { createHash } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runAction } from '../actions/action.ts'
import type { ActionContext } from '../actions/action.ts'
import { answerUnstored } from '../actions/form-submission.ts'
import type { SubmissionResult } from '../actions/form-submission.ts'
import { submitBookingForm, submitQuoteForm } from '../actions/submit-form.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { Values } from '../core/forms/question.ts'
import { newId } from '../core/ids.ts'
import { ApiError } from '../core/requests/errors.ts'
import { createFormStamps } from '../core/security/form-stamp.ts'
import type { FormTokens } from '../core/security/form-token.ts'
import { networkKey } from '../core/security/network.ts'
import type { DbPool } from '../db/statement.ts'
import { FORM_BODY_MAX_BYTES, parseFormBody } from '../http/form-body.ts'
import type { Admission } from '../http/admission.ts'
import type { Outbox } from '../records/mail/queue.ts'
import { findWait } from '../records/form-limit/queries.ts'
import { TRAP } from './form-html.ts'
import { EMBED_SCRIPT, FORM_SCRIPT } from './form-script.ts'
import { createFormFrames, statusOf } from './form-frames.ts'
import type { FormFrames } from './form-frames.ts'
import { openBookingForm, openQuoteForm, startingValues } from './open-form.ts'
import type { OpenForm } from './open-form.ts'

interface FormPageParts {
  db: DbPool
  admission: Admission
  publicUrl: () => string
  appSecrets: readonly [string, ...string[]]
  formTokens: FormTokens
  addressOf: (request: FastifyRequest) => string | null
  invoiceUrl: Presentation['invoiceUrl']
  quoteUrl: Presentation['quoteUrl']
  outbox: Outbox | undefined
}

/** A person needs longer than this to fill in a form. */
const FILL_MIN_MS = 2_000
/** An older page may show a form that has changed. */
const PAGE_MAX_MS = 48 * 3_600_000

type Open = (key: string) => Promise<OpenForm | null>

export function registerFormPages(app: FastifyInstance, parts: FormPageParts): void {
  const { db, admission, formTokens } = parts
  const frames = createFormFrames(parts.publicUrl)
  const send = createSender(parts, frames)
  const routes: [path: string, open: Open][] = [
    ['/f/:key', (slug) => openQuoteForm(db, slug)],
    ['/f/b/:key', (token) => openBookingForm(db, formTokens, token)],
  ]
  for (const [path, open] of routes) {
    /** Of a request that can be corrected, with the look of the form, so that sites that embed the form also show the message. */
    const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const opening = statusOf(error) < 500 ? open(keyOf(request)).catch(() => null) : Promise.resolve(null)
      void opening.then((form) => frames.sendError(error, request, reply, form))
    }
    app.get(path, { errorHandler }, (request, reply) =>
      admission.run(async () => {
        const form = await open(keyOf(request))
        if (form === null) return frames.sendClosed(reply)
        return send.form(reply, form, { values: await startingValues(db, form) })
      }),
    )
    app.post(path, { errorHandler, bodyLimit: FORM_BODY_MAX_BYTES }, async (request, reply) => {
      const fields = parseFormBody(request.headers['content-type'], request.body)
      return admission.run(async () => {
        const form = await open(keyOf(request))
        return form === null ? frames.sendClosed(reply) : send.result(request, reply, form, fields)
      })
    })
    app.get(`${path}/sent`, { errorHandler }, (request, reply) =>
      admission.run(async () => {
        const form = await open(keyOf(request))
        return form === null ? frames.sendClosed(reply) : frames.sendThanks(reply, form)
      }),
    )
  }
  registerScripts(app)
}

const keyOf = (request: FastifyRequest) => (request.params as { key: string }).key

/** The same for every form. Pages of other sites load the second one. */
function registerScripts(app: FastifyInstance): void {
  app.get('/f/form.js', (_request, reply) => sendScript(reply, FORM_SCRIPT))
  app.get('/f/:key/embed.js', (_request, reply) =>
    sendScript(reply.header('cross-origin-resource-policy', 'cross-origin'), EMBED_SCRIPT),
  )
}

function sendScript(reply: FastifyReply, script: string): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=3600')
    .type('text/javascript; charset=utf-8')
    .send(script)
}

interface Entered {
  values: Values
  errors?: ReadonlyMap<string, string>
  notice?: string
  stamp?: string
}

function createSender(parts: FormPageParts, frames: FormFrames) {
  const { db } = parts
  const stamps = createFormStamps(...parts.appSecrets)
  const newStamp = (form: OpenForm) =>
    stamps.seal(form.page, { pageId: newId('resp'), renderedAt: Date.now() })

  const sendForm = (reply: FastifyReply, form: OpenForm, entered: Entered) =>
    frames.sendForm(reply, form, { stamp: newStamp(form), ...entered })

  /** Sends the form again, with what was entered, and why it was not accepted. */
  const sendAgain = (reply: FastifyReply, form: OpenForm, entered: Entered & { status: number }) =>
    sendForm(reply.code(entered.status), form, entered)

  const sendResult = async (
    request: FastifyRequest,
    reply: FastifyReply,
    form: OpenForm,
    fields: URLSearchParams,
  ): Promise<FastifyReply> => {
    const values = valuesOf(fields)
    const stamp = fields.get('stamp') ?? ''
    const opened = stamps.open(form.page, stamp)
    const age = opened === null ? Infinity : Date.now() - opened.renderedAt
    if (opened === null || age > PAGE_MAX_MS)
      return sendAgain(reply, form, { values, status: 400, notice: NOTICES.old })
    if ((fields.get(TRAP) ?? '') !== '')
      return sendAgain(reply, form, { values, status: 400, notice: NOTICES.trap })
    if (age < FILL_MIN_MS) return sendAgain(reply, form, { values, status: 400, notice: NOTICES.fast, stamp })
    const networkHash = hashOf(networkKey(parts.addressOf(request)))
    const submission = { formId: form.form.id, values, seen: new Set(fields.getAll('seen')), networkHash }
    const result = await submit(form, { ...submission, pageId: opened.pageId })
    if (result === null) {
      const seconds = await findWait(db, form.companyId, networkHash)
      const minutes = Math.max(1, Math.ceil(seconds / 60))
      const notice = `Too many forms were sent from your network. Your answers are still here. Send them again in ${minutes} minute${minutes === 1 ? '' : 's'}.`
      reply.header('retry-after', String(Math.max(1, seconds)))
      return sendAgain(reply, form, { values, status: 429, notice, stamp })
    }
    if (result.isSent) return reply.redirect(frames.sentPath(form), 303)
    const { errors, hasMoreQuestions } = result
    const notice = hasMoreQuestions ? { notice: NOTICES.more } : {}
    return sendAgain(reply, form, { values, status: 422, errors, stamp, ...notice })
  }

  /** Null if the network has sent too many. */
  const submit = async (
    form: OpenForm,
    submission: Parameters<typeof submitQuoteForm.run>[1],
  ): Promise<SubmissionResult | null> => {
    const { companyId, booking, customer } = form
    const { invoiceUrl, quoteUrl, outbox } = parts
    const presentation = { now: new Date().toISOString(), invoiceUrl, quoteUrl }
    const actor = { type: 'customer' as const, ...customer }
    const context: ActionContext = { pool: db, companyId, actor, caller: 'customer', presentation, outbox }
    try {
      const unstored = await answerUnstored(db, form, submission, presentation.now)
      if (unstored !== null) return unstored
      if (booking === null) return await runAction(context, submitQuoteForm, submission)
      const { pageId: _, ...answers } = submission
      return await runAction(context, submitBookingForm, { ...answers, bookingId: booking.id })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'too_many_attempts') return null
      throw error
    }
  }

  return { form: sendForm, result: sendResult }
}

const NOTICES = {
  old: 'This page was open for a long time, or is not complete. Check your answers and send them again.',
  trap: 'A field that people do not see was filled in, perhaps by your browser. Check your answers and send them again.',
  fast: 'That was very fast. Check your answers and send them again.',
  more: 'Almost done. Your answers led to more questions.',
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function valuesOf(fields: URLSearchParams): Values {
  const values = new Map<string, string[]>()
  for (const [name, value] of fields) {
    if (!name.startsWith('q.')) continue
    const id = name.slice(2)
    const known = values.get(id)
    if (known === undefined) values.set(id, [value])
    else known.push(value)
  }
  return values
}
