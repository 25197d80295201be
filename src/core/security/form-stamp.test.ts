import { describe, expect, it } from 'vitest'
import { createFormStamps } from './form-stamp.ts'

const page = ['co', 'form']
const stamp = { pageId: 'resp_1', renderedAt: 1_800_000_000_000 }
const stamps = createFormStamps('secret-of-now')
const sealed = stamps.seal(page, stamp)

describe('form stamps', () => {
  it('FM8: open for their page, also after the secret is replaced', () => {
    expect(stamps.open(page, sealed)).toEqual(stamp)
    expect(createFormStamps('next', 'secret-of-now').open(page, sealed)).toEqual(stamp)
  })

  it.each([
    ['another page', ['co', 'other'], sealed],
    ['another id', page, sealed.replace('resp_1', 'resp_2')],
    ['another time', page, sealed.replace('1800', '1700')],
    ['no signature', page, 'resp_1.1800000000000.'],
    ['an empty stamp', page, ''],
  ])('FM8: do not open with %s', (_, forPage, text) => {
    expect(stamps.open(forPage, text)).toBeNull()
  })

  it('FM8: do not open with another secret', () => {
    expect(createFormStamps('other').open(page, sealed)).toBeNull()
  })
})
