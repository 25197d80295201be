import { describe, expect, it, vi } from 'vitest'
import type { PackageChoice, PackageLine } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog, CatalogItem } from '../../../src/core/quotes/quote-edit.ts'
import { customLine, packageLines } from './draft-lines.ts'

vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en-US'] }))

const item = (id: string, more: Partial<CatalogItem> = {}): CatalogItem => ({
  id,
  name: id,
  isArchived: false,
  prices: [
    { currency: 'USD', unitPriceCents: 1_000 },
    { currency: 'EUR', unitPriceCents: 900 },
  ],
  unit: 'EACH',
  taxable: true,
  ...more,
})
const catalog: Catalog = {
  services: [item('bar'), item('old bar', { isArchived: true }), item('band', { prices: [] })],
  addons: [item('ice')],
  discounts: [],
  serviceCharges: [],
  taxRates: [],
}
const LINE: PackageLine = {
  kind: 'SERVICE',
  serviceId: 'bar',
  addonId: null,
  description: null,
  quantity: 2,
  unitPriceCents: null,
  taxable: true,
  optional: false,
  selected: true,
  optionGroup: null,
}

function linesOf(lines: PackageLine[], { currency = 'USD', groups = [] as string[] } = {}) {
  const items = [{ id: 'tent', name: 'Tent' }].concat({ id: 'old bar', name: 'Old bar' })
  const chosen: PackageChoice = { id: 'classic', name: 'Classic', isArchived: false, items, lines }
  return packageLines(chosen, {
    serviceDayId: null,
    occasion: { currency, guestCount: 0, days: [] },
    catalog,
    companyCurrency: 'USD',
    others: groups.map((optionGroup) => ({ ...customLine(null), optionGroup })),
  })
}

describe('the lines of a package', () => {
  it('Q23: omit archived and missing items, which are reported', () => {
    const { lines, leftOut } = linesOf([
      { ...LINE, serviceId: 'old bar' },
      LINE,
      { ...LINE, kind: 'ADDON', serviceId: null, addonId: 'tent' },
      { ...LINE, kind: 'ADDON', serviceId: null, addonId: 'gone' },
    ])
    expect(lines.map(({ serviceId }) => serviceId)).toEqual(['bar'])
    expect(leftOut).toEqual(['Old bar', 'Tent', 'a deleted add-on'])
  })

  it('Q23: use the prices of the package only in the currency of the company', () => {
    const some: PackageLine[] = [
      LINE,
      { ...LINE, unitPriceCents: 700 },
      { ...LINE, serviceId: 'band', unitPriceCents: 700 },
      { ...LINE, kind: 'CUSTOM', serviceId: null, description: 'Planning', unitPriceCents: 700 },
    ]
    const pricesIn = (currency: string) =>
      linesOf(some, { currency }).lines.map(({ unitPrice, price }) => [unitPrice, price])
    expect(pricesIn('USD')).toEqual([
      ['10.00', '20.00'],
      ['7.00', '14.00'],
      ['7.00', '14.00'],
      ['7.00', '14.00'],
    ])
    expect(pricesIn('EUR')).toEqual([
      ['9.00', '18.00'],
      ['9.00', '18.00'],
      ['', ''],
      ['', ''],
    ])
  })

  it('Q23: stay in separate groups, also under new names', () => {
    const some = ['Bar', 'Bar', 'Bar 2', null].map((optionGroup) => ({ ...LINE, optionGroup }))
    const { lines } = linesOf(some, { groups: ['Bar'] })
    expect(lines.map(({ optionGroup }) => optionGroup)).toEqual(['Bar 2', 'Bar 2', 'Bar 2 2', null])
  })
})
