/** The quote page as HTML: a pure function of the revision, its state and the choice of the customer. */
import { SIGNATURE_MAX } from '../actions/accept-quote.ts'
import { CUSTOMER_TEXT_MAX } from '../actions/customer-quote.ts'
import type { DocumentFormats } from '../core/document-formats.ts'
import { LOST_REASONS } from '../core/enumerations.ts'
import type { LostReason } from '../core/enumerations.ts'
import { isChoice } from '../core/quotes/customer-choices.ts'
import { pricingInputOf } from '../core/quotes/quote-edit.ts'
import type { Offer } from '../core/quotes/offer.ts'
import { contractText, formatsOf } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import type { RevisionState } from '../core/quotes/revision-state.ts'
import { companyHeader } from './company-header.ts'
import { escapeHtml, pageOf } from './page-html.ts'
import {
  OFFER_FORM,
  eventFacts,
  offerLines,
  sellerFooter,
  termsText,
  textBlock,
  totalsTable,
} from './quote-sections.ts'

export interface Entered {
  name: string
  hasAgreed: boolean
  question: string
}

export interface QuoteView {
  revision: Revision
  sha256: string
  state: RevisionState
  offer: Offer
  /** The path of the page, below which its forms are sent. */
  path: string
  base: string
  style: string
  /** False if the company has another logo by now. */
  hasLogo: boolean
  acceptance: { name: string; acceptedAt: string } | null
  /** By field, after a form that was refused. */
  errors: Partial<Record<'choices' | 'name' | 'agree' | 'question' | 'form', string>>
  entered: Entered
  notice: 'asked' | null
}

/** This many characters fit in large type on a phone. */
const FIGURE_SHORT = 14

/** Closed, but customers still have questions. */
const CAN_ASK: ReadonlySet<RevisionState> = new Set(['expired', 'booked', 'canceled'])

export const NO_ENTRIES: Entered = { name: '', hasAgreed: false, question: '' }

export function renderQuote(view: QuoteView): string {
  const { revision, offer, state, base, style } = view
  const { seller, customer, event, number, quoteId, message } = revision
  const formats = formatsOf(revision)
  const isOpen = state === 'open' || state === 'undated'
  const title = `Quote ${number ?? quoteId}`
  const logoHash = view.hasLogo ? seller.logoHash : null
  const terms = termsText(revision, formats)
  const body = `<main class="sheet">
<div class="top">${companyHeader({ ...seller, logoHash }, base)}
<nav class="tools" aria-label="Document"><a class="button quiet" href="${pdfPath(view)}">Download PDF</a></nav></div>
<h1>${escapeHtml([event.type ?? 'Quote', customer.name === '' ? null : `for ${customer.name}`].filter(Boolean).join(' '))}</h1>
<p class="lead">${escapeHtml(title)} · sent ${escapeHtml(formats.date(revision.sentAt))}</p>
${stateNote(view, formats)}
${hero(view, formats, isOpen)}
${message === null ? '' : `<section class="message">${textBlock(message)}</section>`}
<section><h2>Your event</h2>${eventFacts(revision, formats)}${
    revision.content.eventDescription === null ? '' : `<br>${textBlock(revision.content.eventDescription)}`
  }</section>
<section><h2>Included</h2>${fieldError(view, 'choices')}
${offerLines(offer, formats, isOpen)}
${totalsTable(offer, formats)}
${isOpen && offer.hasChoices ? recalculate(view) : ''}</section>
${terms === null ? '' : `<section><h2>Payment</h2><p class="text">${escapeHtml(terms)}</p></section>`}
${contractSection(revision, formats.money(offer.totalCents))}
${state === 'open' ? acceptForm(view) : ''}
${isOpen || CAN_ASK.has(state) ? actions(view, isOpen) : ''}
${sellerFooter(revision)}
</main>${isOpen && offer.hasChoices ? scriptParts(view) : ''}`
  return pageOf({ locale: seller.locale, title: `${title} · ${seller.name}`, body, style })
}

function hero({ offer, revision, state }: QuoteView, formats: DocumentFormats, isOpen: boolean): string {
  const total = formats.money(offer.totalCents)
  const until =
    revision.expiresAt === null || !(isOpen || state === 'expired')
      ? ''
      : `<p class="until"><span class="label">${isOpen ? 'Valid until' : 'Was valid until'}</span><b>${escapeHtml(formats.date(revision.expiresAt))}</b></p>`
  return `<div class="hero"><div><p class="label">Total</p>
<p class="figure${total.length > FIGURE_SHORT ? ' long' : ''}" data-figure="total" aria-live="polite">${escapeHtml(total)}</p></div>${until}</div>`
}

/** What happened to the quote; after an acceptance this is the receipt. */
function stateNote(view: QuoteView, formats: DocumentFormats): string {
  const { state, acceptance, revision, sha256, errors, notice } = view
  const notes: string[] = []
  if (errors.form !== undefined) notes.push(noteOf('This did not work', textBlock(errors.form), 'problem'))
  if (notice === 'asked') {
    notes.push(
      noteOf(
        'Thank you for your question',
        `<p>${escapeHtml(revision.seller.name)} will answer you soon.</p>`,
      ),
    )
  }
  if (acceptance !== null) {
    const when = formats.dateAndTime(acceptance.acceptedAt)
    notes.push(
      noteOf(
        'Accepted and booked',
        `<p>Signed by <b><bdi>${escapeHtml(acceptance.name)}</bdi></b> on ${escapeHtml(when)}. This page is your receipt: print it or download the PDF.</p>
<p class="proof">Document hash (SHA-256): ${escapeHtml(sha256)}</p>`,
      ),
    )
  } else if (state !== 'open') {
    const [title, text] = STATE_NOTES[state]
    notes.push(noteOf(title, `<p>${text}</p>`))
  }
  return notes.join('\n')
}

const STATE_NOTES: Record<Exclude<RevisionState, 'open'>, [title: string, text: string]> = {
  undated: [
    'No date yet',
    'This quote cannot be accepted here before a date is agreed. Ask a question below.',
  ],
  replaced: ['There is a newer quote', 'Open the link in the latest message.'],
  expired: ['This quote has expired', 'It can no longer be accepted. Ask for a new one below.'],
  lost: ['This quote is closed', 'It was declined or withdrawn, and can no longer be accepted.'],
  booked: ['This quote is booked', 'There is nothing left to do.'],
  canceled: ['This booking is canceled', 'Ask a question below if you want to continue.'],
  withdrawn: ['This quote is being revised', 'It cannot be accepted at the moment. You will get a new link.'],
}

function noteOf(title: string, html: string, kind = ''): string {
  return `<div class="note ${kind}" role="${kind === '' ? 'status' : 'alert'}"><h2>${title}</h2>${html}</div>`
}

/** Without JavaScript, a round trip shows the new total. */
function recalculate({ path, state }: QuoteView): string {
  const form =
    state === 'open' ? '' : `<form id="${OFFER_FORM}" method="post" action="${path}/choices"></form>`
  return `${form}<p class="recalculate noscript"><button class="quiet" form="${OFFER_FORM}" formaction="${path}/choices" formnovalidate>Update total</button></p>`
}

function contractSection(revision: Revision, total: string): string {
  if (revision.contract === null) return ''
  const text = contractText(revision, `\u{E000}${total}\u{E001}`)
  // The total in the contract follows the choice, too.
  const html = escapeHtml(text)
    .replaceAll('\u{E000}', '<span data-figure="total">')
    .replaceAll('\u{E001}', '</span>')
  return `<section><h2>${escapeHtml(revision.contract.name)}</h2><div class="contract text" tabindex="0" role="region" aria-label="Contract">${html}</div></section>`
}

function acceptForm(view: QuoteView): string {
  const { path, offer, entered, errors, revision } = view
  // `shown` are the options whose total is on the screen. The script keeps it up to date.
  return `<section class="accept actions"><h2>Accept this quote</h2>
<p>Your signature books the event for <b data-figure="total">${escapeHtml(formatsOf(revision).money(offer.totalCents))}</b>.</p>
<form id="${OFFER_FORM}" method="post" action="${path}/accept">
<input type="hidden" name="shown" value="${offer.chosen.join(',')}">
<label class="field signature">Your full name<small>Typing your name counts as your signature.</small>
<input name="name" autocomplete="name" required maxlength="${SIGNATURE_MAX}" value="${escapeHtml(entered.name)}"${errors.name === undefined ? '' : ' aria-invalid="true"'}>${fieldError(view, 'name')}</label>
<label class="check"><input type="checkbox" name="agree" value="yes" required${entered.hasAgreed ? ' checked' : ''}><span>I accept this quote${revision.contract === null ? '' : ' and the contract above'}.${fieldError(view, 'agree')}</span></label>
<button>Accept and book</button>
</form></section>`
}

const REASON_TEXTS: Record<LostReason, string | null> = {
  PRICE: 'The price is too high',
  DATE_UNAVAILABLE: 'The date does not work',
  CHOSE_COMPETITOR: 'I chose another company',
  OTHER: 'Another reason',
  // Not something that a customer says.
  WENT_SILENT: null,
}

/** The reasons that a customer can choose. */
export const CUSTOMER_REASONS = LOST_REASONS.filter((reason) => REASON_TEXTS[reason] !== null)

function actions(view: QuoteView, isOpen: boolean): string {
  const { path, entered, errors } = view
  const reasons = CUSTOMER_REASONS.map(
    (reason) => `<option value="${reason}">${REASON_TEXTS[reason]}</option>`,
  )
  const decline = `<details><summary>Decline this quote</summary><form method="post" action="${path}/decline">
<label class="field">Why?<select name="reason">${reasons.join('')}</select></label>
<label class="field">Anything else?<small>Optional</small><textarea name="text" maxlength="${CUSTOMER_TEXT_MAX}"></textarea></label>
<button class="quiet">Decline quote</button></form></details>`
  return `<section class="actions"><details${errors.question === undefined ? '' : ' open'}><summary>Ask a question</summary><form method="post" action="${path}/question">
<label class="field">Your question<textarea name="text" required maxlength="${CUSTOMER_TEXT_MAX}">${escapeHtml(entered.question)}</textarea>${fieldError(view, 'question')}</label>
<button class="quiet">Send question</button></form></details>
${isOpen ? decline : ''}</section>`
}

function fieldError({ errors }: QuoteView, field: keyof QuoteView['errors']): string {
  const message = errors[field]
  return message === undefined ? '' : `<span class="error" role="alert">${escapeHtml(message)}</span>`
}

function pdfPath({ path, offer }: QuoteView): string {
  return `${path}/pdf${offer.hasChoices ? `?choices=${offer.chosen.join(',')}` : ''}`
}

/** The input of the price, for the script that updates the figures. A data block is not run, whatever it contains. */
function scriptParts({ revision, base }: QuoteView): string {
  const { content, catalogue: catalog, currency, seller } = revision
  const options = content.lines.map(({ optional, optionGroup, selected }) => ({
    optional,
    optionGroup,
    selected,
  }))
  // Lines that are left out for good keep their position only: the customer must not learn what they cost.
  const lines = content.lines.map((line) =>
    line.selected || isChoice(line) ? line : { ...line, priceCents: 0, discountId: null },
  )
  const input = pricingInputOf({ ...content, lines }, catalog, currency)
  const data = { input, options, locale: seller.locale }
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return `<script type="application/json" id="quote-data">${json}</script>
<script type="module" src="${base}assets/quote-page.js"></script>`
}
