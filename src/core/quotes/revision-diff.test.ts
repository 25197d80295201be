import { describe, expect, it } from 'vitest'
import { REVISION, REVISION_PARTS } from '../../../test/support/revision.ts'
import { composeRevision } from './revision.ts'
import { diffRevisions } from './revision-diff.ts'

describe('V22: the differences between two revisions', () => {
  it('V22: are none for the same revision', () => {
    expect(diffRevisions(REVISION, REVISION)).toEqual([])
  })

  it('V22: name every figure, line and fact that changed', () => {
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
      { part: 'Lines', label: 'Bar', before: '$100.00', after: '$120.00' },
      { part: 'Lines', label: 'Ice', before: null, after: '$20.00, optional, not selected' },
      { part: 'Lines', label: 'Ice', before: '$20.00, optional, not selected', after: null },
      { part: 'Event', label: 'Guests', before: '0', after: '80' },
      { part: 'Terms', label: 'Message', before: 'Thank you for asking us.', after: null },
    ])
  })
})
