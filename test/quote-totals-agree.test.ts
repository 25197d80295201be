import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceQuote } from '../src/core/pricing/price-quote.ts'
import { priceChoice } from '../src/core/quotes/choice-price.ts'
import { isChoice } from '../src/core/quotes/customer-choices.ts'
import { figuresOf } from '../src/core/quotes/offer-figures.ts'
import { offerOf } from '../src/core/quotes/offer.ts'
import { pricingInputOf } from '../src/core/quotes/quote-edit.ts'
import { composeRevision, formatsOf, readRevision, writeRevision } from '../src/core/quotes/revision.ts'
import type { Revision } from '../src/core/quotes/revision.ts'
import { NO_ENTRIES, renderQuote } from '../src/pages/quote-html.ts'
import { renderQuotePdf } from '../src/pages/quote-pdf.ts'
import { ACCEPT, createCustomerPages, figuresIn } from './support/customer-quote.ts'
import { anyOffer } from './support/random-revision.ts'
import { pdfText } from './support/pdf.ts'
import { RUNS, SLOW_RUNS } from './support/property-runs.ts'

const slowTimeout = 120_000 + SLOW_RUNS * 2000

/** As the server renders it for a choice. */
function pageOf(revision: Revision, chosen: readonly number[]): string {
  return renderQuote({
    revision,
    sha256: '',
    state: 'open',
    offer: offerOf(revision, chosen),
    path: '/q/token',
    base: '/',
    style: '',
    hasLogo: false,
    acceptance: null,
    errors: {},
    entered: NO_ENTRIES,
    notice: null,
  })
}

/** The parts that the page gives to its script. */
function scriptData(html: string) {
  const [, json = ''] = /id="quote-data">([\s\S]*?)<\/script>/.exec(html) ?? []
  return JSON.parse(json) as {
    input: Parameters<typeof priceChoice>[0]
    options: Parameters<typeof priceChoice>[1]
  }
}

describe('the total of a quote', () => {
  it(
    'V7, V9: is the same in editor, revision, page, script and round trip, for any options',
    { timeout: 120_000 + RUNS * 100 },
    () => {
      fc.assert(
        fc.property(anyOffer, ({ parts, chosen }) => {
          const editor = priceQuote(pricingInputOf(parts.content, parts.catalog, parts.currency))
          const revision = composeRevision(parts)
          expect(readRevision(writeRevision(revision))).toEqual(revision)
          expect(revision.price.totalCents).toBe(editor.totalCents)
          expect(offerOf(revision).price).toEqual(editor)
          const { price, content, totalCents } = offerOf(revision, chosen)
          expect(priceQuote(pricingInputOf(content, parts.catalog, parts.currency)).totalCents).toBe(
            totalCents,
          )
          const html = pageOf(revision, chosen)
          const { money } = formatsOf(revision)
          const shown = figuresIn(html)
          expect(shown['total']).toBe(money(totalCents))
          const figures = figuresOf(price)
          for (const [key, text] of Object.entries(shown))
            expect([key, text]).toEqual([key, money(figures[key] ?? Number.NaN)])
          // Without choices there is nothing to update, and no script.
          if (!offerOf(revision).hasChoices) return
          const { input, options } = scriptData(pageOf(revision, []))
          expect(priceChoice(input, options, chosen)).toEqual(price)
          // Lines that are not selected and not a choice do not reveal their price.
          const leftOut = input.lines.filter((_, i) => {
            const line = content.lines[i]
            return line !== undefined && !line.selected && !isChoice(line)
          })
          expect(leftOut.filter(({ priceCents }) => priceCents !== 0)).toEqual([])
        }),
        { numRuns: RUNS },
      )
    },
  )

  it('V19: is the same in the PDF', { timeout: slowTimeout }, async () => {
    await fc.assert(
      fc.asyncProperty(anyOffer, async ({ parts, chosen }) => {
        const revision = composeRevision(parts)
        const offer = offerOf(revision, chosen)
        const pdf = await renderQuotePdf({ revision, offer, sha256: '', acceptance: null }, () => true)
        const text = await pdfText(Uint8Array.from(pdf).buffer)
        const { money } = formatsOf(revision)
        for (const { cents } of offer.figures) expect(text).toContain(money(cents).replaceAll(/\s+/g, ''))
      }),
      { numRuns: SLOW_RUNS },
    )
  })

  it(
    'V15, IV3: is the same in API, link, page, booking and the sum of the invoices',
    { timeout: slowTimeout },
    async () => {
      const { plantQuote, send, open, post, api } = await createCustomerPages()
      const cents = fc.nat(500_000)
      const lines = fc.tuple(cents, cents, cents, cents)
      await fc.assert(
        fc.asyncProperty(lines, fc.nat(100_000), fc.boolean(), async (prices, fee, isWine) => {
          const id = await plantQuote({ base_fee_cents: fee }, [
            { id: 'bar', description: 'Bar', price_cents: prices[0] },
            { id: 'ice', description: 'Ice', price_cents: prices[1], optional: true, selected: false },
            {
              id: 'beer',
              description: 'Beer',
              price_cents: prices[2],
              option_group: 'Drinks',
              taxable: false,
            },
            {
              id: 'wine',
              description: 'Wine',
              price_cents: prices[3],
              option_group: 'Drinks',
              selected: false,
            },
          ])
          const quoted = (await api('GET', `quotes/${id}`)).body as { totalPriceCents: number }
          const path = await send(id)
          const dollars = (total: number) =>
            new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(total / 100)
          expect(figuresIn((await open(path)).text)['total']).toBe(dollars(quoted.totalPriceCents))
          const group0 = isWine ? '3' : '2'
          const choices = `1,${group0}`
          const page = await open(`${path}?choices=${choices}`)
          expect(
            (await post(`${path}/accept`, { ...ACCEPT, option: '1', group0, shown: choices })).status,
          ).toBe(303)
          const booked = (await api('GET', `quotes/${id}?expand[]=booking.invoices`)).body as {
            totalPriceCents: number
            booking: { totalPriceCents: number; invoices: { total: number }[] }
          }
          expect(booked.booking.totalPriceCents).toBe(booked.totalPriceCents)
          const invoiced = booked.booking.invoices.reduce((sum, { total }) => sum + total, 0)
          expect(invoiced).toBe(booked.totalPriceCents)
          expect(figuresIn(page.text)['total']).toBe(dollars(booked.totalPriceCents))
        }),
        { numRuns: SLOW_RUNS },
      )
    },
  )
})
