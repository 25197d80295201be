/**
 * The kinds of records, each fact about them once and in the order of the world format: import, export and doctor all
 * read this table, and a test compares it with the database. A kind comes after the kinds that own its records.
 */
import { PLANS } from '../core/plans.ts'
import {
  apiKey,
  apiKeyHash,
  boolean,
  currency,
  filledText,
  id,
  idList,
  idListUpTo,
  integer,
  money,
  networkList,
  oneOf,
  percentage,
  quantity,
  text,
  time,
  timeZone,
} from './field-types.ts'
import { objectList, shapeOf } from './fields.ts'
import { children, exactlyWith, kind, may, must } from './kind.ts'
import type { Kind } from './kind.ts'

const LINE_ITEMS_MAX = 1_000
const SERVICE_CHARGES_MAX = 20

const QUESTION_TYPES =
  `ADDRESS ADDONS TEXT MULTISELECT MULTICHOICE DROPDOWN DATE TIME NUMBER YESNO DISPLAYTEXT
  ACKNOWLEDGEMENTS RESOURCE STAFFING_CALCULATOR`.split(/\s+/)
const AMOUNT_OR_PERCENT = oneOf(['PERCENT', 'AMOUNT'])
const NAME = must('name', filledText)
const ARCHIVED_AT = may('archivedAt', time)
const CURRENCY = must('currency', currency)

export const KINDS: readonly Kind[] = [
  kind('company', 'companies', [
    NAME,
    must('plan', oneOf(PLANS)),
    CURRENCY,
    may('allowedIps', networkList, { default: [] }),
  ]),
  kind(
    'apiKey',
    'api_keys',
    [
      NAME,
      may('key', apiKey, { column: 'key_hash', importOnly: true }),
      may('keyHash', apiKeyHash),
      may('revokedAt', time),
    ],
    { exactlyOneOf: ['key', 'keyHash'], unique: { column: 'key_hash', field: 'key' } },
  ),
  kind('lead', 'leads', [
    may('firstName', text),
    may('lastName', text),
    may('email', text),
    may('phone', text),
    may('companyName', text),
  ]),
  kind('location', 'locations', [
    NAME,
    may('streetAddress', text),
    may('city', text),
    may('state', text),
    may('zip', text),
    must('timeZone', timeZone),
  ]),
  kind('eventType', 'event_types', [NAME]),
  kind('service', 'services', [NAME, may('description', text), may('imageUrl', text), ARCHIVED_AT]),
  kind('addon', 'addons', [NAME, may('description', text), may('imageUrl', text), ARCHIVED_AT]),
  kind('discount', 'discounts', [
    NAME,
    must('type', AMOUNT_OR_PERCENT),
    exactlyWith('type', 'PERCENT', 'percentOff', percentage),
    exactlyWith('type', 'AMOUNT', 'amountOff', money),
    exactlyWith('type', 'AMOUNT', 'currency', currency),
    ARCHIVED_AT,
  ]),
  kind('taxRate', 'tax_rates', [NAME, must('rate', percentage), ARCHIVED_AT]),
  kind('paymentTerms', 'payment_terms', [
    NAME,
    must('paymentSchedule', oneOf(['DEPOSIT', 'FULL', 'CARD_ON_FILE', 'INVOICE_ONLY'])),
    may('depositType', AMOUNT_OR_PERCENT),
    exactlyWith('depositType', 'PERCENT', 'depositPercentage', percentage),
    exactlyWith('depositType', 'AMOUNT', 'depositAmountCents', money),
    may('invoiceDueDays', integer, { default: 0 }),
    ARCHIVED_AT,
  ]),
  kind('serviceCharge', 'service_charges', [
    NAME,
    must('type', AMOUNT_OR_PERCENT),
    exactlyWith('type', 'PERCENT', 'percentage', percentage),
    exactlyWith('type', 'AMOUNT', 'amountCents', money),
    exactlyWith('type', 'AMOUNT', 'currency', currency),
    may('taxable', boolean, { default: true }),
    ARCHIVED_AT,
  ]),
  kind('contract', 'contracts', [NAME, may('description', text), may('content', text), ARCHIVED_AT]),
  kind('quote', 'quotes', [
    must('leadId', id),
    must('locationId', id),
    may('eventTypeId', id),
    may('bookingId', id),
    may('discountId', id),
    may('taxRateId', id),
    may('paymentTermsId', id),
    may('contractId', id),
    may('serviceChargeIds', idListUpTo(SERVICE_CHARGES_MAX), { default: [] }),
    may('numberOfStaff', integer, { default: 0 }),
    may('numberOfResources', integer, { default: 0 }),
    may('guestCount', integer, { default: 0 }),
    must('eventAddress', filledText),
    may('eventDescription', text),
    may('siteContactName', text),
    may('siteContactPhone', text),
    may('entityToInvoice', text),
    CURRENCY,
    may('baseFeeCents', money, { default: 0 }),
    may('travelFeeCents', money, { default: 0 }),
    may('baseFeeTaxable', boolean, { default: true }),
    may('travelFeeTaxable', boolean, { default: true }),
    may('sentAt', time),
    may('expiresAt', time),
    may('bookedAt', time),
    may('lostAt', time),
    may('lostReason', oneOf(['PRICE', 'DATE_UNAVAILABLE', 'WENT_SILENT', 'CHOSE_COMPETITOR', 'OTHER'])),
    may('deletedAt', time),
  ]),
  kind('serviceDay', 'service_days', [
    must('quoteId', id, { owner: true }),
    must('serviceStartTime', time),
    must('serviceEndTime', time),
  ]),
  kind(
    'lineItem',
    'line_items',
    [
      must('quoteId', id, { owner: true }),
      may('serviceDayId', id),
      must('kind', oneOf(['SERVICE', 'ADDON', 'CUSTOM'])),
      exactlyWith('kind', 'SERVICE', 'serviceId', id),
      exactlyWith('kind', 'ADDON', 'addonId', id),
      may('description', text),
      may('quantity', quantity, { default: 1 }),
      may('unitPriceCents', money),
      must('priceCents', money),
      may('taxable', boolean, { default: true }),
      may('discountId', id),
      may('deletedAt', time),
    ],
    { mostPerOwner: LINE_ITEMS_MAX },
  ),
  kind('booking', 'bookings', [
    may('quoteId', id),
    may('leadId', id),
    may('eventTypeId', id),
    may('fullName', text),
    may('email', text),
    may('phone', text),
    may('entityToInvoice', text),
    may('paymentMethod', text),
    may('billingNotes', text),
    may('cardOnFile', boolean, { default: false }),
    CURRENCY,
    must('totalPriceCents', money),
    may('gratuityAmountCents', money),
    may('canceledAt', time),
  ]),
  kind('event', 'events', [
    may('bookingId', id),
    may('locationId', id),
    may('name', text),
    may('clientName', text),
    may('clientEmail', text),
    may('clientPhone', text),
    may('siteContactName', text),
    may('siteContactPhone', text),
    may('eventDescription', text),
    may('eventAddress', text),
    may('additionalLocationInfo', text),
    may('specialNotes', text),
    may('parkingLoadingInfo', text),
    may('staffDressCode', text),
    must('serviceStartTime', time),
    must('serviceEndTime', time),
    may('shiftStartTime', time),
    may('shiftEndTime', time),
    may('staffNumber', integer, { default: 0 }),
    may('resourceNumber', integer, { default: 0 }),
    may('guestCount', integer),
    may('multiDay', boolean, { default: false }),
    may('outdoors', boolean, { default: false }),
    may('tipJarAllowed', boolean, { default: false }),
    may('serviceIds', idList, { default: [] }),
    may('addonIds', idList, { default: [] }),
    may('staffIds', idList, { default: [] }),
    may('resourceIds', idList, { default: [] }),
  ]),
  kind('resource', 'resources', [
    NAME,
    may('description', text),
    may('imageUrl', text),
    may('category', text),
    may('status', oneOf(['Active', 'Inactive']), { default: 'Active' }),
    must('locationId', id),
  ]),
  kind('staff', 'staff', [
    must('firstName', filledText),
    must('lastName', filledText),
    must('email', filledText),
    may('phone', text),
    may('role', text),
    may('status', oneOf(['active', 'inactive']), { default: 'active' }),
  ]),
  kind('invoice', 'invoices', [
    must('bookingId', id, { owner: true }),
    may('leadId', id),
    must('invoiceNumber', filledText),
    may('description', text),
    may('notes', text),
    may('poNumber', text),
    CURRENCY,
    must('totalCents', money),
    may('amountPaidCents', money, { default: 0 }),
    may('issuedAt', time),
    may('dueDate', time),
    may('voidedAt', time),
    may(
      'lines',
      objectList(
        shapeOf([
          must('description', filledText),
          may('quantity', quantity, { default: 1 }),
          must('amountCents', money),
        ]),
      ),
      { default: [] },
    ),
  ]),
  kind('form', 'forms', [NAME]),
  kind('formQuestion', 'form_questions', [
    must('formId', id, { owner: true }),
    must('title', filledText),
    must('type', oneOf(QUESTION_TYPES)),
    may('subtitle', text),
    must('position', integer),
    may('systemRequired', boolean, { default: false }),
    may('userRequired', boolean, { default: false }),
    may('linkedSystemField', text),
  ]),
  kind('formResponse', 'form_responses', [must('formId', id), may('bookingId', id), may('quoteId', id)], {
    children: children('answers', 'form_answers', 'form_response_id', [
      must('questionId', id, { references: 'formQuestion' }),
      must('response', filledText),
    ]),
  }),
  kind('task', 'tasks', [
    must('eventId', id, { owner: true }),
    must('description', filledText),
    may('dueDate', time),
    may('completedAt', time),
  ]),
]

const KINDS_BY_NAME: ReadonlyMap<unknown, Kind> = new Map(KINDS.map((one) => [one.name, one]))

export function findKind(name: unknown): Kind | null {
  return KINDS_BY_NAME.get(name) ?? null
}
