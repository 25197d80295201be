/** The differences between two revisions of a quote, figure by figure, as texts for people. */
import { offerOf } from './offer.ts'
import type { Offer, OfferLine } from './offer.ts'
import { formatsOf } from './revision.ts'
import type { Revision } from './revision.ts'

export interface RevisionDifference {
  part: 'Price' | 'Lines' | 'Event' | 'Terms'
  label: string
  /** Null if there was none. */
  before: string | null
  after: string | null
}

type Values = Map<string, { label: string; value: string }>

/** In the order of the newer revision; removed values come last in each part. */
export function diffRevisions(older: Revision, newer: Revision): RevisionDifference[] {
  const [before, after] = [partsOf(older), partsOf(newer)]
  return (Object.keys(after) as RevisionDifference['part'][]).flatMap((part) =>
    diffValues(part, before[part], after[part]),
  )
}

function diffValues(part: RevisionDifference['part'], before: Values, after: Values): RevisionDifference[] {
  const keys = [...after.keys(), ...[...before.keys()].filter((key) => !after.has(key))]
  return keys.flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)]
    if (old?.value === now?.value) return []
    const label = (now ?? old)?.label ?? ''
    return [{ part, label, before: old?.value ?? null, after: now?.value ?? null }]
  })
}

function partsOf(revision: Revision): Record<RevisionDifference['part'], Values> {
  const offer = offerOf(revision)
  return {
    Price: priceValues(revision, offer),
    Lines: lineValues(revision, offer),
    Event: eventValues(revision),
    Terms: termValues(revision),
  }
}

function priceValues(revision: Revision, { figures }: Offer): Values {
  const { money } = formatsOf(revision)
  // Charges are keyed by their position, so the label is part of the key.
  return new Map(
    figures.map(({ key, label, cents }) => [
      key.startsWith('charge') ? `charge ${label}` : key,
      { label, value: money(cents) },
    ]),
  )
}

function lineValues(revision: Revision, { days }: Offer): Values {
  const formats = formatsOf(revision)
  const all = days.flatMap(({ start, lines }) =>
    lines.map((line) => ({ line, day: start === null ? null : formats.day(start) })),
  )
  return new Map(
    all.map(({ line, day }) => {
      const id = revision.content.lines[line.position]?.id ?? String(line.position)
      return [id, { label: line.name, value: describeLine(line, day, revision) }]
    }),
  )
}

function describeLine(line: OfferLine, day: string | null, revision: Revision): string {
  const { money, number } = formatsOf(revision)
  const parts = [
    line.details,
    line.quantity === '1'
      ? null
      : `${number(line.quantity)} ×${line.unitPriceCents === null ? '' : ` ${money(line.unitPriceCents)}`}`,
    line.discountName,
    line.group === null ? null : `option of ${line.group.name}`,
    line.isOptional ? 'optional' : null,
    line.isSelected ? null : 'not selected',
  ]
  return [line.name, money(line.netCents), day, ...parts].filter((part) => part !== null).join(', ')
}

function eventValues(revision: Revision): Values {
  const { content, event, customer } = revision
  const formats = formatsOf(revision)
  return valuesOf([
    ['Customer', customer.name],
    ['Event type', event.type],
    ['Location', event.location],
    ['Address', content.eventAddress],
    ['Guests', formats.number(content.guestCount)],
    [
      'Days',
      content.serviceDays
        .map(
          ({ serviceStartTime: start, serviceEndTime: end }) =>
            `${formats.day(start)}, ${formats.times(start, end)}`,
        )
        .join('; '),
    ],
    ['Description', content.eventDescription],
    [
      'Contact on site',
      [content.siteContactName, content.siteContactPhone].filter((part) => part !== null).join(', '),
    ],
    ['Invoice to', content.entityToInvoice],
  ])
}

function termValues(revision: Revision): Values {
  const { terms, contract, expiresAt, message, seller } = revision
  return valuesOf([
    ['Valid until', expiresAt === null ? null : formatsOf(revision).date(expiresAt)],
    ['Payment terms', terms === null ? null : describeTerms(terms, revision)],
    ['Contract', contract?.name ?? null],
    ['Contract text', contract?.text ?? null],
    ['Message', message],
    ['Company', seller.legalName ?? seller.name],
  ])
}

const SCHEDULES: Record<NonNullable<Revision['terms']>['paymentSchedule'], string> = {
  FULL: 'full payment',
  DEPOSIT: 'deposit',
  INVOICE_ONLY: 'invoice after the event',
  CARD_ON_FILE: 'card on file',
}

function describeTerms(terms: NonNullable<Revision['terms']>, revision: Revision): string {
  const { name, paymentSchedule, depositType, depositPercentage, depositAmountCents, invoiceDueDays } = terms
  const { money, percent, number } = formatsOf(revision)
  const deposit =
    depositType === 'PERCENT'
      ? percent(depositPercentage ?? '0')
      : depositType === null
        ? null
        : money(depositAmountCents ?? 0)
  const parts = [
    name,
    paymentSchedule === 'DEPOSIT' && deposit !== null ? `deposit of ${deposit}` : SCHEDULES[paymentSchedule],
    `${number(invoiceDueDays)} day${invoiceDueDays === 1 ? '' : 's'}`,
  ]
  return parts.join(', ')
}

function valuesOf(entries: readonly (readonly [label: string, value: string | null])[]): Values {
  const filled = entries.filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '')
  return new Map(filled.map(([label, value]) => [label, { label, value }]))
}
