/** Discounts, service charges, tax rates and payment terms. Their values never change once quotes refer to them. */
import { SCHEDULE_WORDS } from '../quotes/words.ts'
import { NAME, TAXABLE } from './kind-view.ts'
import type { Field, View } from './kind-view.ts'
import type { FormValues } from './values.ts'

/** A percentage, or an amount in a currency. */
const valueFields = (percent: string, amount: string): Field[] => [
  {
    name: 'type',
    label: 'Type',
    type: 'select',
    options: [
      ['PERCENT', 'Percentage'],
      ['AMOUNT', 'Fixed amount'],
    ],
  },
  { name: percent, label: 'Percentage', type: 'percent', showIf: ({ type }) => type === 'PERCENT' },
  { name: amount, label: 'Amount', type: 'money', showIf: ({ type }) => type === 'AMOUNT', isHalf: true },
  {
    name: 'currency',
    label: 'Currency',
    type: 'currency',
    showIf: ({ type }) => type === 'AMOUNT',
    isHalf: true,
  },
]

const isDeposit = ({ paymentSchedule }: FormValues) => paymentSchedule === 'DEPOSIT'

export const PRICING_VIEWS = {
  discounts: {
    title: 'Discounts',
    noun: 'discount',
    plural: 'discounts',
    about: 'Percentages or amounts off a quote or a line.',
    empty: 'Add a discount, such as 10 % for returning customers, to use it on quotes.',
    searchHint: 'Name',
    columns: ['value'],
    fields: [NAME, ...valueFields('percentOff', 'amountOff')],
    blank: { type: 'PERCENT' },
  },
  'service-charges': {
    title: 'Service charges',
    noun: 'service charge',
    plural: 'service charges',
    about: 'Percentages or amounts added to a quote.',
    empty: 'Add a service charge, such as 18 % for service, to use it on quotes.',
    searchHint: 'Name',
    columns: ['value', 'taxable'],
    fields: [NAME, ...valueFields('percentage', 'amountCents'), TAXABLE],
    blank: { type: 'PERCENT', taxable: true },
  },
  'tax-rates': {
    title: 'Tax rates',
    noun: 'tax rate',
    plural: 'tax rates',
    about: 'Taxes on quotes. Prices do not include them.',
    empty: 'Add the tax rates you charge, to use them on quotes.',
    searchHint: 'Name',
    columns: ['value'],
    fields: [NAME, { name: 'rate', label: 'Rate', type: 'percent' }],
    blank: {},
  },
  'payment-terms': {
    title: 'Payment terms',
    noun: 'payment terms',
    plural: 'payment terms',
    about: 'When and how a booking is paid.',
    empty: 'Add your payment terms, such as a deposit of 50 %, to use them on quotes.',
    searchHint: 'Name',
    columns: ['value', 'invoiceDueDays'],
    fields: [
      NAME,
      { name: 'paymentSchedule', label: 'Payment', type: 'select', options: Object.entries(SCHEDULE_WORDS) },
      {
        name: 'depositType',
        label: 'Deposit',
        type: 'select',
        options: [
          ['PERCENT', 'Percentage of the total'],
          ['AMOUNT', 'Fixed amount'],
        ],
        showIf: isDeposit,
        isHalf: true,
      },
      {
        name: 'depositPercentage',
        label: 'Deposit in percent',
        type: 'percent',
        showIf: (values) => isDeposit(values) && values['depositType'] === 'PERCENT',
        isHalf: true,
      },
      {
        name: 'depositAmountCents',
        label: 'Deposit amount',
        type: 'money',
        showIf: (values) => isDeposit(values) && values['depositType'] === 'AMOUNT',
        isHalf: true,
      },
      {
        name: 'invoiceDueDays',
        label: 'Days until an invoice is due',
        type: 'integer',
        note: 'With a deposit, the balance is due this many days before the first day.',
      },
    ],
    blank: { paymentSchedule: 'FULL', depositType: 'PERCENT', invoiceDueDays: '0' },
  },
} satisfies Record<string, View>
