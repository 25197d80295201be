/** Services, add-ons, packages, contracts and event types. */
import { DESCRIPTION, IMAGE, NAME, TAXABLE } from './kind-view.ts'
import type { View } from './kind-view.ts'

export const UNIT_WORDS: Readonly<Record<string, string>> = {
  EACH: 'each',
  HOUR: 'per hour',
  GUEST: 'per guest',
  DAY: 'per day',
}

const ITEM = {
  about: 'What you offer, with its price.',
  columns: ['prices', 'description'],
  searchHint: 'Name or description',
  fields: [
    NAME,
    DESCRIPTION,
    { name: 'prices', label: 'Unit price', type: 'prices' },
    { name: 'unit', label: 'Unit', type: 'select', options: Object.entries(UNIT_WORDS), isHalf: true },
    TAXABLE,
    IMAGE,
  ],
  blank: { prices: [], unit: 'EACH', taxable: true },
} as const satisfies Partial<View>

export const CATALOG_VIEWS = {
  services: {
    ...ITEM,
    title: 'Services',
    noun: 'service',
    plural: 'services',
    empty:
      'Services are the main lines of a quote. Add the first one, or import your price list from a CSV file.',
  },
  addons: {
    ...ITEM,
    title: 'Add-ons',
    noun: 'add-on',
    plural: 'add-ons',
    about: 'Extras that go with your services.',
    empty:
      'Add-ons are extras of a quote, such as a second bar. Add the first one, or import them from a CSV file.',
  },
  packages: {
    title: 'Packages',
    noun: 'package',
    plural: 'packages',
    about: 'Lists of lines that you add to a quote in one step.',
    empty: 'Put the services and add-ons that you often sell together into a package.',
    searchHint: 'Name or description',
    columns: ['lines', 'description'],
    fields: [NAME, DESCRIPTION, { name: 'lines', label: 'Lines', type: 'lines' }],
    blank: { lines: [] },
  },
  contracts: {
    title: 'Contracts',
    noun: 'contract',
    plural: 'contracts',
    about: 'Texts that customers accept with a quote.',
    empty: 'Add the terms that your customers accept. Placeholders fill in names, dates and totals.',
    searchHint: 'Name or description',
    columns: ['description'],
    fields: [NAME, DESCRIPTION, { name: 'content', label: 'Text', type: 'contract', isOptional: true }],
    blank: {},
  },
  'event-types': {
    title: 'Event types',
    noun: 'event type',
    plural: 'event types',
    about: 'The kinds of events you work at.',
    empty: 'Add the kinds of events you work at, such as weddings, to sort your quotes by them.',
    searchHint: 'Name',
    columns: [],
    fields: [NAME],
    blank: {},
  },
} satisfies Record<string, View>
