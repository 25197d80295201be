/** Sends the pages of forms with their headers. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Values } from '../core/forms/question.ts'
import { ApiError } from '../core/requests/errors.ts'
import { basePath, fontFaces } from '../http/fonts.ts'
import { formStyle, renderForm, renderMessage } from './form-html.ts'
import type { OpenForm } from './open-form.ts'
import { pagePolicy } from './page-html.ts'

interface Shown {
  values: Values
  errors?: ReadonlyMap<string, string>
  notice?: string
  stamp: string
}

export interface FormFrames {
  sendForm: (reply: FastifyReply, form: OpenForm, shown: Shown) => FastifyReply
  sendThanks: (reply: FastifyReply, form: OpenForm) => FastifyReply
  sendClosed: (reply: FastifyReply) => FastifyReply
  /** As a page, since a person reads it. */
  sendError: (
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
    form: OpenForm | null,
  ) => void
  sentPath: (form: OpenForm) => string
}

const CLOSED = {
  title: 'Form not found',
  text: 'The link may be incomplete, or the form is closed. Ask the company that gave it to you for a new link.',
}

const TOO_LARGE = {
  title: 'The form was not sent',
  text: 'Your answers are too long. Go back, shorten them, and send the form again.',
}

const UNREADABLE = {
  title: 'The form was not sent',
  text: 'It contains something that cannot be stored. Go back, check your answers, and send the form again.',
}

const FAILED = {
  title: 'The form was not sent',
  text: 'Something went wrong on our side. Go back and send the form again in a few minutes.',
}

function messageOf(status: number): typeof CLOSED {
  if (status === 404) return CLOSED
  if (status === 413) return TOO_LARGE
  return status < 500 ? UNREADABLE : FAILED
}

export function statusOf(error: FastifyError): number {
  return error instanceof ApiError ? error.status : (error.statusCode ?? 500)
}

export function createFormFrames(publicUrl: () => string): FormFrames {
  // The public URL is unknown until the process listens.
  const base = () => basePath(publicUrl())
  const send = (reply: FastifyReply, form: OpenForm | null, render: (style: string) => string) => {
    const style = formStyle(fontFaces(base()), form?.company.accentColor ?? null)
    const frameAncestors = form?.booking === null ? form.form.allowedOrigins : []
    const policy = pagePolicy(style, { hasImages: true, hasScripts: true, hasForms: true, frameAncestors })
    return reply
      .headers({
        'content-security-policy': policy,
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'no-store',
        ...(frameAncestors.length > 0 && { 'cross-origin-resource-policy': 'cross-origin' }),
      })
      .type('text/html; charset=utf-8')
      .send(render(style))
  }
  const sendMessage = (reply: FastifyReply, form: OpenForm | null, message: typeof CLOSED) =>
    send(reply, form, (style) =>
      renderMessage({ look: form === null ? null : lookOf(form), ...message }, { base: base(), style }),
    )
  const sendClosed: FormFrames['sendClosed'] = (reply) => sendMessage(reply.code(404), null, CLOSED)
  return {
    sendClosed,
    sentPath: ({ path }) => `${base()}${path}/sent`,
    sendForm: (reply, form, { values, errors = new Map(), notice = null, stamp }) =>
      send(reply, form, (style) =>
        renderForm(
          {
            look: lookOf(form),
            name: form.form.name,
            questions: form.questions,
            choices: form.choices,
            values,
            errors,
            notice,
            stamp,
            send: form.booking === null ? 'Send request' : 'Send answers',
          },
          { base: base(), style },
        ),
      ),
    sendThanks: (reply, form) => sendMessage(reply, form, thanksOf(form)),
    sendError: (error, request, reply, form) => {
      const status = statusOf(error)
      if (error instanceof ApiError) reply.headers(error.headers)
      if (status >= 500) request.log.error({ err: error }, 'request failed')
      void sendMessage(reply.code(status), form, messageOf(status))
    },
  }
}

function lookOf({ companyId, company: { name, logoHash } }: OpenForm) {
  return { companyId, name, logoHash }
}

function thanksOf({ booking, company }: OpenForm): typeof CLOSED {
  if (booking !== null)
    return {
      title: 'Thank you',
      text: `${company.name} has received your answers. Open the same link to change them.`,
    }
  return {
    title: 'Thank you',
    text: `${company.name} has received your request and will get back to you.`,
  }
}
