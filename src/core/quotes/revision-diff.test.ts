import { describe, expect, it } from 'vitest'
import { REVISION, REVISION_PARTS } from '../../../test/support/revision.ts'
import { composeRevision } from './revision.ts'
import { diffRevisions } from './revision-diff.ts'

describe('V22: differences between two revisions', () => {
  it('V22: are empty for the same revision', () => {
    expect(diffRevisions(REVISION, REVISION)).toEqual([])
  })

  it('V22: include every changed figure, line and detail', () => {
    const [bar, ice, beer, wine] = REVISION_PARTS.content.lines
    if (bar === undefined || ice === undefined || beer === undefined || wine === undefined) throw new Error()
    const newer = composeRevision({
      ...REVISION_PARTS,
      revision: 2,
      message: null,
      content: {
        ...REVISION_PARTS.content,
        guestCount: 80,
        lines: [{ ...bar, priceCents: 12_000 }, beer, { ...wine, selected: false }, { ...ice, id: 'new' }],
      },
    })
    expect(diffRevisions(REVISION, newer)).toEqual([
      { part: 'Price', label: 'Subtotal', before: '$130.00', after: '$150.00' },
      { part: 'Price', label: 'Sales tax 10 %', before: '$13.00', after: '$15.00' },
      { part: 'Price', label: 'Total', before: '$143.00', after: '$165.00' },
      { part: 'Lines', label: 'Bar', before: 'Bar, $100.00', after: 'Bar, $120.00' },
      { part: 'Lines', label: 'Ice', before: null, after: 'Ice, $20.00, optional, not selected' },
      { part: 'Lines', label: 'Ice', before: 'Ice, $20.00, optional, not selected', after: null },
      { part: 'Event', label: 'Guests', before: '0', after: '80' },
      { part: 'Terms', label: 'Message', before: 'Thank you for asking us.', after: null },
    ])
  })

  it('V22: include the name and day of a line, and the figures of payment terms', () => {
    const [bar, ...others] = REVISION_PARTS.content.lines
    if (bar === undefined) throw new Error()
    const terms = (depositPercentage: string) => ({
      name: 'Deposit',
      paymentSchedule: 'DEPOSIT' as const,
      depositType: 'PERCENT' as const,
      depositPercentage,
      depositAmountCents: null,
      invoiceDueDays: 7,
    })
    const of = (line: typeof bar, depositPercentage: string) =>
      composeRevision({
        ...REVISION_PARTS,
        terms: terms(depositPercentage),
        content: { ...REVISION_PARTS.content, lines: [line, ...others] },
      })
    const older = of({ ...bar, description: '1 tent' }, '20')
    const renamed = of({ ...bar, description: '2 tents', serviceDayId: 'day' }, '50')
    expect(diffRevisions(older, renamed)).toEqual([
      {
        part: 'Lines',
        label: '2 tents',
        before: '1 tent, $100.00',
        after: expect.stringMatching(/^2 tents, \$100\.00, .*June 6, 2026$/),
      },
      {
        part: 'Terms',
        label: 'Payment terms',
        before: 'Deposit, deposit of 20 %, 7 days',
        after: 'Deposit, deposit of 50 %, 7 days',
      },
    ])
  })
})
