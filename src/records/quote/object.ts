/** The quote object, without its relations. */
import { LOST_REASONS } from '../../core/enumerations.ts'
import { z } from 'zod'
import { priceTotal } from '../../core/pricing/price-total.ts'
import { QUOTE_FIELDS, pricingInput } from './row.ts'
import {
  Currency,
  cents,
  id,
  optionalId,
  optionalText,
  optionalTimestamp,
  timestamp,
} from '../../codec/schemas.ts'
import { publicObject } from '../../codec/public-object.ts'

const Quote = z.strictObject({
  object: z.literal('quote'),
  id: id('quote'),
  createdAt: timestamp('When the quote was created.'),
  updatedAt: timestamp(
    'When the quote row was last changed. Edits of lines, discounts, charges or taxes can change `totalPriceCents` without changing this.',
  ),
  sentAt: optionalTimestamp('When the quote was sent.'),
  expiresAt: optionalTimestamp('When the quote expires.'),
  bookedAt: optionalTimestamp('When the quote was booked.'),
  lostAt: optionalTimestamp('When the quote was marked lost.'),
  lostReason: z.enum(LOST_REASONS).nullable(),
  leadId: id('contact (the related object is called lead)'),
  locationId: id('location'),
  eventTypeId: optionalId('event type'),
  bookingId: optionalId('booking'),
  discountId: optionalId('discount on the whole quote'),
  taxRateId: optionalId('tax rate'),
  paymentTermsId: optionalId('payment terms'),
  contractId: optionalId('contract template'),
  numberOfStaff: z.int().meta({ description: 'Staff asked for.' }),
  numberOfResources: z.int().meta({ description: 'Resources asked for.' }),
  guestCount: z.int(),
  eventAddress: z.string(),
  eventDescription: optionalText('Free text.'),
  siteContactName: optionalText('Contact on site.'),
  siteContactPhone: optionalText('Telephone number of the contact on site.'),
  entityToInvoice: optionalText(),
  currency: Currency,
  totalPriceCents: cents(
    'The live total: saved line prices, base and travel fees, discounts, service charges and tax, calculated anew at every request.',
  ),
})

export const QUOTE = publicObject(Quote, QUOTE_FIELDS, {
  totalPriceCents: (row) => priceTotal(pricingInput(row)),
})
