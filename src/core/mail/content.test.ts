import * as fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { contrastWithWhite } from '../accent-color.ts'
import { renderMail } from './content.ts'
import type { MailBrand } from './content.ts'
import { oneLine } from './header-text.ts'
import * as messages from './messages.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200)
const BRAND: MailBrand = { name: 'Quay Street', accentColor: '#1f6f5c', footer: ['1 Quay Street, Lisbon'] }
const FACTS = {
  company: 'Quay Street',
  customer: 'Ada Noor',
  quote: 'Q-1042',
  total: '$1,200.00',
  validUntil: 'May 4, 2027',
  url: 'https://quotes.example.com/q/abc',
}

/** Text with characters that could end a header or a tag. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('\r\n', '\n', '\r', '\0', '\u2028', ' ', 'Bcc: evil@example.com', '<script>', '"', 'a'),
    )
    .map((parts) => parts.join('')),
)

/** Every kind of message with the text in all places. */
const allMessages = (text: string) => [
  messages.quoteSent(
    { ...FACTS, company: text, customer: text, quote: text },
    { subject: text, message: text },
  ),
  messages.quoteReminder({ ...FACTS, company: text, customer: text, quote: text }),
  messages.quoteAccepted({ customer: text, quote: text, url: FACTS.url, signature: text, total: text }),
  messages.quoteDeclined({ customer: text, quote: text, url: FACTS.url, reason: text }),
  messages.quoteQuestion({ customer: text, quote: text, url: FACTS.url, question: text }),
  messages.formReceived({
    form: text,
    customer: text,
    answers: [[text, text]],
    button: { label: text, url: FACTS.url },
  }),
  messages.invitation({ company: text, invitedBy: text, url: FACTS.url, validUntil: text }),
  messages.passwordReset({ company: text, name: text, url: FACTS.url, validUntil: text }),
  messages.testMessage({ company: text }),
]

describe('renderMail', () => {
  it('ML2: has a background on which white text is readable', () => {
    const { html } = renderMail({ ...BRAND, accentColor: '#ffee00' }, messages.testMessage({ company: 'x' }))
    const [, color = ''] = /background-color:(#[0-9a-f]{6});border-radius:8px 8px 0 0/.exec(html) ?? []
    expect(contrastWithWhite(color)).toBeGreaterThanOrEqual(4.5)
  })

  it('ML2: writes the same content as text and as HTML', () => {
    const content = messages.quoteSent(FACTS, { subject: null, message: 'See you soon.\nAda' })
    const { subject, text, html } = renderMail(BRAND, content)
    expect(subject).toBe('Your quote Q-1042 from Quay Street')
    for (const part of ['See you soon.', '$1,200.00', 'May 4, 2027', FACTS.url, ...BRAND.footer]) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
    expect(text).toContain('\nSee you soon.\nAda\n')
    expect(html).toContain('See you soon.<br>Ada')
    expect(html).toContain('#1f6f5c')
    expect(html).not.toMatch(/<img|<link|<script|url\(/)
  })

  it('ML2: escapes every value in HTML', () => {
    for (const content of allMessages('<img src=x onerror=alert(1)> & "quoted"')) {
      const { html } = renderMail(BRAND, content)
      expect(html).not.toContain('<img')
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;')
    }
  })

  it('ML3: removes control characters from subjects and lines', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const content of allMessages(text)) {
          const rendered = renderMail({ name: text, accentColor: text, footer: [text] }, content)
          expect(rendered.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
          expect(Array.from(rendered.subject).length).toBeLessThanOrEqual(200)
          expect(rendered.subject).not.toBe('')
          expect(rendered.text).not.toMatch(/[^\P{Cc}\n]/u)
          expect(rendered.html).not.toMatch(/[^\P{Cc}\n]/u)
          expect(rendered.html).not.toContain('<script>')
        }
      }),
      { numRuns },
    )
  })

  it('ML3: hostile names and subjects add no header to a message', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, subject) => {
        const content = messages.quoteSent({ ...FACTS, customer: name }, { subject, message: name })
        const rendered = renderMail({ ...BRAND, name }, content)
        const from = { name: oneLine(name), address: 'quotes@example.com' }
        const composer = new MailComposer({ ...rendered, from, to: 'ada@example.com', date: new Date(0) })
        const parsed = await simpleParser(await composer.compile().build())
        expect([...parsed.headers.keys()].toSorted()).toEqual(
          ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].toSorted(),
        )
        expect(parsed.to).toMatchObject({ text: 'ada@example.com' })
      }),
      { numRuns },
    )
  })
})
