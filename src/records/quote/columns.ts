/** Quotes. The API also shows the total, which is calculated at every request and never stored. */
import { LOST_REASONS } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  boolean,
  computed,
  currency,
  filledText,
  id,
  idList,
  integer,
  money,
  ofCompany,
  oneOf,
  text,
  time,
} from '../../codec/column-types.ts'
import { cents } from '../../codec/schemas.ts'

const SERVICE_CHARGES_MAX = 20

export const QUOTE_COLUMNS = defineColumns('quote', 'quotes', {
  id: id('quote'),
  companyId: ofCompany(),
  createdAt: time('When the quote was created.').keptWhenAbsent(),
  updatedAt: time(
    'When the quote row was last changed. Edits of lines, discounts, charges or taxes can change `totalPriceCents` without changing this.',
  ).keptWhenAbsent(),
  sentAt: time('When the quote was sent.').nullable(),
  expiresAt: time('When the quote expires.').nullable(),
  bookedAt: time('When the quote was booked.').nullable(),
  lostAt: time('When the quote was marked lost.').nullable(),
  lostReason: oneOf(LOST_REASONS).nullable(),
  /** Shown to people, such as Q-1042. */
  number: text().nullable().internal(),
  leadId: id('lead'),
  locationId: id('location'),
  eventTypeId: id('event type').nullable(),
  bookingId: id('booking').nullable(),
  discountId: id('discount on the whole quote').nullable(),
  taxRateId: id('tax rate').nullable(),
  paymentTermsId: id('payment terms').nullable(),
  contractId: id('contract template').nullable(),
  numberOfStaff: integer('Requested staff.').default(0),
  numberOfResources: integer('Requested resources.').default(0),
  guestCount: integer().default(0),
  eventAddress: filledText(),
  eventDescription: text('Free text.').nullable(),
  siteContactName: text('Name of the site contact.').nullable(),
  siteContactPhone: text('Phone number of the site contact.').nullable(),
  entityToInvoice: text().nullable(),
  currency: currency(),
  totalPriceCents: computed(
    cents(
      'The live total: saved line prices, base and travel fees, discounts, service charges and tax, calculated at every request.',
    ),
  ),
  serviceChargeIds: idList(SERVICE_CHARGES_MAX).default([]),
  baseFeeCents: money().default(0).internal(),
  baseFeeTaxable: boolean().default(true).internal(),
  travelFeeCents: money().default(0).internal(),
  travelFeeTaxable: boolean().default(true).internal(),
  deletedAt: time().nullable().internal(),
})
