import { describe, expect, it } from 'vitest'
import { changesOf, listDifferences, rebase } from './profile.ts'
import type { Values } from './profile.ts'

const BASE = { name: 'Quay', city: null, phone: '1', defaultServiceChargeIds: ['a'] } as unknown as Values

describe('concurrent edits of the profile', () => {
  it('do not include an empty field without a stored value', () => {
    expect(changesOf(BASE, { ...BASE, city: '' })).toEqual({})
    expect(changesOf(BASE, { ...BASE, phone: '' })).toEqual({ phone: '' })
    expect(changesOf(BASE, { ...BASE, defaultServiceChargeIds: ['a', 'b'] })).toEqual({
      defaultServiceChargeIds: ['a', 'b'],
    })
  })

  it('are merged by field, with the current user first', () => {
    const versions = {
      base: BASE,
      mine: { ...BASE, name: 'Mine', city: 'Porto' },
      theirs: { ...BASE, name: 'Theirs', phone: '2' },
    }
    expect(listDifferences(versions)).toEqual([
      { field: 'name', by: 'both' },
      { field: 'phone', by: 'them' },
      { field: 'city', by: 'me' },
    ])
    expect(rebase(versions)).toEqual({ ...BASE, name: 'Mine', city: 'Porto', phone: '2' })
  })
})
