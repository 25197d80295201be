import { describe, expect, it } from 'vitest'
import { createMailSeal } from './mail-seal.ts'

const MAIL = { companyId: 'co_1', mailId: 'mail_1' }

describe('sealed content', () => {
  it('ML6: opens for its message only', () => {
    const { seal, open } = createMailSeal(['first'])
    const sealed = seal(MAIL, 'a link')
    expect(open(MAIL, sealed)).toBe('a link')
    expect(open({ ...MAIL, mailId: 'mail_2' }, sealed)).toBeNull()
    expect(open({ ...MAIL, companyId: 'co_2' }, sealed)).toBeNull()
    expect(createMailSeal(['second']).open(MAIL, sealed)).toBeNull()
  })

  it('ML6: opens with the previous application secret', () => {
    const sealed = createMailSeal(['first']).seal(MAIL, 'a link')
    expect(createMailSeal(['second', 'first']).open(MAIL, sealed)).toBe('a link')
  })

  it.each(['', 'x', 'A'.repeat(80)])('does not open if %j was never sealed', (sealed) => {
    expect(createMailSeal(['first']).open(MAIL, sealed)).toBeNull()
  })
})
