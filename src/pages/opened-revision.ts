/** A revision that was opened, and how it is sent as a page. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { offerOf } from '../core/quotes/offer.ts'
import type { Revision } from '../core/quotes/revision.ts'
import type { RevisionState } from '../core/quotes/revision-state.ts'
import type { RevisionRef } from '../core/security/quote-token.ts'
import type { RevisionStanding } from '../records/quote-revision/queries.ts'
import type { FormErrors } from './quote-forms.ts'
import type { QuoteFrame } from './quote-frame.ts'
import { NO_ENTRIES, renderQuote } from './quote-html.ts'
import type { Entered } from './quote-html.ts'

/** A revision that was opened, and where its quote stands. */
export interface OpenedRevision {
  ref: RevisionRef
  revision: Revision
  standing: RevisionStanding
  state: RevisionState
  hasLogo: boolean
}

export interface Shown {
  chosen?: readonly number[] | undefined
  errors?: FormErrors
  entered?: Entered
  notice?: 'asked' | null
}

/** The options of the acceptance, which then count instead of any other choice. */
export function acceptedChoice({ revision, standing }: OpenedRevision): number[] | null {
  if (standing.acceptedName === null) return null
  const ids = new Set(standing.choices)
  return revision.content.lines.flatMap(({ id }, position) => (id !== null && ids.has(id) ? [position] : []))
}

/** Null if the booking is canceled: there is nothing left to have a receipt for. */
export function acceptanceOf({ acceptedName: name, acceptedAt, canceledAt }: RevisionStanding) {
  return name === null || acceptedAt === null || canceledAt !== null ? null : { name, acceptedAt }
}

export const pathOf = ({ base }: QuoteFrame, request: FastifyRequest) =>
  `${base}q/${encodeURIComponent((request.params as { token: string }).token)}`

export function sendQuote(
  frame: QuoteFrame,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenedRevision,
  { chosen, errors = {}, entered = NO_ENTRIES, notice = null }: Shown,
): FastifyReply {
  const { revision, standing, state, hasLogo } = opened
  const offer = offerOf(revision, acceptedChoice(opened) ?? chosen)
  const style = frame.styleOf(revision.seller.accentColor)
  const html = renderQuote({
    revision,
    state,
    offer,
    style,
    hasLogo,
    errors,
    entered,
    notice,
    sha256: standing.sha256,
    path: pathOf(frame, request),
    base: frame.base,
    acceptance: acceptanceOf(standing),
  })
  return frame.send(reply, html, style)
}
