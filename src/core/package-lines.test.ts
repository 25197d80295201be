import { describe, expect, it } from 'vitest'
import { packageLineDetails, packageLineTexts } from './package-lines.ts'

const line = { serviceId: null, addonId: null, description: null, quantity: 1 }

describe('descriptions of package lines', () => {
  it('N3: have the name or description, and a quantity other than 1', () => {
    const lines = [
      { ...line, serviceId: 'bar', quantity: 1.5 },
      { ...line, addonId: 'milk', description: 'Cold', quantity: 0 },
      { ...line, description: 'Setup' },
      { ...line, addonId: 'gone', description: 'Was here' },
      { ...line, serviceId: 'gone', quantity: 2 },
    ]
    const items = [
      { id: 'bar', name: 'Espresso bar' },
      { id: 'milk', name: 'Oat milk' },
    ]
    expect(packageLineTexts(lines, items, String)).toEqual([
      '1.5 × Espresso bar',
      '0 × Oat milk',
      'Setup',
      'Was here',
      '2 × No longer in the catalog',
    ])
  })

  it('N12: have the properties that distinguish a line, also without optional members', () => {
    const lines = [
      { kind: 'SERVICE', serviceId: 'bar' },
      { ...line, kind: 'ADDON', addonId: 'milk', description: 'Cold', quantity: 2, unitPriceCents: 500 },
      { ...line, kind: 'CUSTOM', description: 'Setup', taxable: false, optional: true, selected: false },
      { ...line, kind: 'CUSTOM', description: 'Beer', optionGroup: 'Bar', selected: true },
    ] as const
    const items = [
      { id: 'bar', name: 'Espresso bar' },
      { id: 'milk', name: 'Oat milk' },
    ]
    const formats = { amount: (cents: number) => `$${cents / 100}`, quantity: String }
    expect(packageLineDetails(lines, items, formats)).toEqual([
      'Espresso bar',
      '2 × Oat milk (Cold, $5)',
      'Setup (not taxable, optional, not selected)',
      'Beer (alternative of Bar, selected)',
    ])
  })
})
