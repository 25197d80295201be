/** The parts of the quote page that show the offer. */
import type { DocumentFormats } from '../core/document-formats.ts'
import type { Offer, OfferDay, OfferLine } from '../core/quotes/offer.ts'
import { addressLines } from '../core/quotes/revision.ts'
import type { Revision } from '../core/quotes/revision.ts'
import { escapeHtml } from './page-html.ts'

/** Choices and signature are one form, so that the options on the screen are those that are accepted. */
export const OFFER_FORM = 'offer'

/** HTML of a paragraph of text that people typed. */
export const textBlock = (text: string) => `<p class="text">${escapeHtml(text)}</p>`

function factList(facts: readonly (readonly [label: string, value: string | null])[]): string {
  const items = facts
    .filter(([, value]) => value !== null && value.trim() !== '')
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${escapeHtml(value ?? '')}</dd></div>`)
  return `<dl>${items.join('\n')}</dl>`
}

export function eventFacts({ event, content, customer }: Revision, formats: DocumentFormats): string {
  const days = content.serviceDays.map(
    ({ serviceStartTime: start, serviceEndTime: end }) =>
      `${formats.day(start)}\n${formats.times(start, end)}`,
  )
  const site = [content.siteContactName, content.siteContactPhone].filter(
    (part) => part !== null && part !== '',
  )
  return factList([
    ['Prepared for', [...new Set([customer.name, customer.companyName ?? ''])].join('\n').trim()],
    ['Event', event.type],
    [days.length > 1 ? 'Dates' : 'Date', days.join('\n')],
    ['Address', content.eventAddress],
    ['Guests', content.guestCount === 0 ? null : formats.number(content.guestCount)],
    ['Contact on site', site.join('\n')],
    ['Invoice to', content.entityToInvoice],
  ])
}

/** `isOpen`: the customer can choose. */
export function offerLines({ days }: Offer, formats: DocumentFormats, isOpen: boolean): string {
  const isSingle = days.length === 1
  return days
    .map(
      (day) => `<div class="day">${dayHead(day, formats, isSingle)}${lineLists(day, formats, isOpen)}</div>`,
    )
    .join('\n')
}

function dayHead({ start, end }: OfferDay, { day, times }: DocumentFormats, isSingle: boolean): string {
  if (start === null || end === null) return isSingle ? '' : '<h3>For the whole event</h3>'
  return `<h3>${escapeHtml(day(start))}<small>${escapeHtml(times(start, end))}</small></h3>`
}

/** Lines in their order. The alternatives of a group stand together, where the first of them is. */
function lineLists({ lines }: OfferDay, formats: DocumentFormats, isOpen: boolean): string {
  const parts: string[] = []
  let list: string[] = []
  const flush = () => {
    if (list.length > 0) parts.push(`<ul class="lines">${list.join('')}</ul>`)
    list = []
  }
  const done = new Set<number>()
  for (const line of lines) {
    if (line.group === null || !isOpen) {
      if (line.isSelected || isOpen) list.push(lineItem(line, formats, isOpen))
      continue
    }
    const { number, name } = line.group
    if (done.has(number)) continue
    done.add(number)
    flush()
    const own = lines.filter(({ group }) => group?.number === number)
    parts.push(
      `<fieldset><legend>${escapeHtml(name)}<small>Choose one</small></legend><ul class="lines">${own
        .map((one) => lineItem(one, formats, isOpen))
        .join('')}</ul></fieldset>`,
    )
  }
  flush()
  return parts.join('\n')
}

function lineItem(line: OfferLine, formats: DocumentFormats, isOpen: boolean): string {
  const { money } = formats
  const amount = `${line.netCents === line.grossCents ? '' : `<s>${escapeHtml(money(line.grossCents))}</s>`}${escapeHtml(money(line.netCents))}`
  const details = [line.details, line.discountName, countOf(line, formats)]
    .filter((part) => part !== null && part !== '')
    .map((part) => escapeHtml(part ?? ''))
    .join('<br>')
  const isChoice = isOpen && (line.isOptional || line.group !== null)
  const input = isChoice ? choiceInput(line) : ''
  const tag = line.isOptional && isOpen ? '<span class="tag">Optional</span>' : ''
  const inner = `${input}<span class="name">${escapeHtml(line.name)}${tag}</span><span class="amount">${amount}</span>${
    details === '' ? '' : `<span class="details">${details}</span>`
  }`
  return isChoice ? `<li><label class="line option">${inner}</label></li>` : `<li class="line">${inner}</li>`
}

function choiceInput({ position, isSelected, group }: OfferLine): string {
  const [type, name] = group === null ? ['checkbox', 'option'] : ['radio', `group${group.number}`]
  return `<input type="${type}" name="${name}" value="${position}" form="${OFFER_FORM}"${isSelected ? ' checked' : ''}>`
}

/** `3 × $20.00`; nothing for one of something. */
function countOf({ quantity, unitPriceCents }: OfferLine, { number, money }: DocumentFormats): string | null {
  if (quantity === '1') return null
  return unitPriceCents === null
    ? `Quantity ${number(quantity)}`
    : `${number(quantity)} × ${money(unitPriceCents)}`
}

export function totalsTable({ figures }: Offer, { money }: DocumentFormats): string {
  const rows = figures.map(
    ({ key, label, cents, weight }) =>
      `<tr class="${weight}"><th scope="row">${escapeHtml(label)}</th><td data-figure="${key}">${escapeHtml(money(cents))}</td></tr>`,
  )
  return `<table class="totals"><caption class="noprint" hidden>Price</caption><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

/** When the customer pays how much. */
export function termsText({ terms }: Revision, { money, percent, number }: DocumentFormats): string | null {
  if (terms === null) return null
  const { invoiceDueDays: count, depositPercentage, depositAmountCents } = terms
  const days = count === 1 ? '1 day' : `${number(count)} days`
  const after = count === 0 ? 'on the day of the event' : `${days} after the event`
  const before = count === 0 ? 'on the day of the event' : `${days} before the event`
  const amounts = {
    PERCENT: Number(depositPercentage ?? 0) > 0 ? percent(depositPercentage ?? '0') : null,
    AMOUNT: (depositAmountCents ?? 0) > 0 ? money(depositAmountCents ?? 0) : null,
  }
  const deposit = terms.depositType === null ? null : amounts[terms.depositType]
  const texts = {
    FULL: count === 0 ? 'The total is due when you accept.' : `The total is due ${days} after you accept.`,
    DEPOSIT:
      deposit === null
        ? `The total is due ${before}.`
        : `A deposit of ${deposit} is due when you accept. The rest is due ${before}.`,
    INVOICE_ONLY: `The total is due ${after}.`,
    CARD_ON_FILE: 'The total is charged to your card on file.',
  }
  return texts[terms.paymentSchedule]
}

export function sellerFooter({ seller }: Revision): string {
  const { legalName, name, email, phone, website, taxNumber, footer } = seller
  const contact = [email, phone, website].filter((part) => part !== null && part !== '')
  const lines = [
    [legalName ?? name, ...addressLines(seller)].join(' · '),
    contact.join(' · '),
    taxNumber === null || taxNumber === '' ? '' : `Tax number ${taxNumber}`,
  ]
  const shown = lines.filter((line) => line !== '').map((line) => `<p>${escapeHtml(line)}</p>`)
  return `<footer>${shown.join('')}${footer === null ? '' : textBlock(footer)}</footer>`
}
