/** The price as it would be, step by step, beside the one that is stored. */
import { Alert, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { Catalog } from '../../../src/core/quotes/quote-edit.ts'
import { formatMoney, formatPercent } from '../format.ts'
import { Note } from '../ui/note.ts'

interface PricePanelProps {
  /** Null while something that is typed is no number. */
  price: PriceBreakdown | null
  storedTotalCents: number
  currency: string
  catalog: Catalog
  taxRateId: string | null
  /** The actions. */
  children: ReactNode
}

export function PricePanel(props: PricePanelProps) {
  const { price, storedTotalCents, currency, catalog, taxRateId, children } = props
  return (
    <section className="app-panel edit-price" aria-labelledby="price-title">
      {/* Long ones are scrolled, by the keyboard, too; the total stays in sight. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="edit-price-steps" role="group" aria-labelledby="price-title" tabIndex={0}>
        <Title order={2} id="price-title">
          Price
        </Title>
        {price === null ? (
          <Text size="sm">Fix the marked fields to see the total.</Text>
        ) : (
          <Steps price={price} catalog={catalog} taxRateId={taxRateId} />
        )}
        {price !== null && price.excluded.length > 0 ? <Excluded price={price} /> : null}
      </div>
      <Stack className="edit-price-foot" gap="md">
        <div className="edit-total">
          <Text fw={650}>Total</Text>
          <Text className="app-figure" fw={700} fz="1.375rem" data-total>
            {price === null ? '—' : formatMoney(price.totalCents, currency)}
          </Text>
        </div>
        <TotalChange price={price} storedTotalCents={storedTotalCents} currency={currency} />
        {children}
      </Stack>
    </section>
  )
}

interface Step {
  key: string
  label: string
  value: string
  isHidden?: boolean
  isSum?: boolean
}

function Steps({
  price,
  catalog,
  taxRateId,
}: {
  price: PriceBreakdown
  catalog: Catalog
  taxRateId: string | null
}) {
  const { currency } = price
  const taxRate = catalog.taxRates.find(({ id }) => id === taxRateId)
  const money = (cents: number) => formatMoney(cents, currency)
  const less = (cents: number) => `−${money(cents)}`
  const names = new Map(catalog.serviceCharges.map(({ id, name }) => [id, name]))
  const rows: Step[] = [
    { key: 'lines', label: 'Lines', value: money(price.linesGrossCents) },
    {
      key: 'line discounts',
      label: 'Line discounts',
      value: less(price.lineDiscountCents),
      isHidden: price.lineDiscountCents === 0,
    },
    { key: 'base', label: 'Base fee', value: money(price.baseFeeCents), isHidden: price.baseFeeCents === 0 },
    {
      key: 'travel',
      label: 'Travel fee',
      value: money(price.travelFeeCents),
      isHidden: price.travelFeeCents === 0,
    },
    { key: 'subtotal', label: 'Subtotal', value: money(price.subtotalCents), isSum: true },
    {
      key: 'discount',
      label: 'Discount',
      value: less(price.quoteDiscountCents),
      isHidden: price.quoteDiscountCents === 0,
    },
    ...price.serviceCharges.map(({ id, amountCents }) => ({
      key: `charge ${id}`,
      label: names.get(id) ?? 'Service charge',
      value: money(amountCents),
    })),
    {
      key: 'tax',
      label: `${taxRate?.name ?? 'Tax'}, ${formatPercent(Number(taxRate?.rate ?? 0))} of ${money(price.taxableCents)}`,
      value: money(price.taxCents),
      isHidden: taxRate === undefined,
    },
  ]
  return (
    <dl className="edit-steps">
      {rows
        .filter(({ isHidden = false }) => !isHidden)
        .map(({ key, label, value, isSum = false }) => (
          <div key={key} className={isSum ? 'edit-sum' : undefined}>
            <dt>{label}</dt>
            <dd className="app-figure">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function TotalChange({
  price,
  storedTotalCents,
  currency,
}: Pick<PricePanelProps, 'price' | 'storedTotalCents' | 'currency'>) {
  const stored = formatMoney(storedTotalCents, currency)
  const change = price === null ? 0 : price.totalCents - storedTotalCents
  const sign = change > 0 ? '+' : '−'
  return (
    <Note ta="right" mt={-12}>
      {change === 0 ? (
        `Saved total ${stored}`
      ) : (
        <>
          Before <s className="app-figure">{stored}</s>,{' '}
          <span className="app-figure">
            {sign}
            {formatMoney(Math.abs(change), currency)}
          </span>
        </>
      )}
    </Note>
  )
}

const SUBJECTS: Record<PriceBreakdown['excluded'][number]['subject'], string> = {
  LINE: 'a line whose service or add-on no longer exists',
  LINE_DISCOUNT: 'a discount on a line',
  QUOTE_DISCOUNT: 'the discount',
  SERVICE_CHARGE: 'a service charge',
  TAX_RATE: 'the tax',
}

function Excluded({ price }: { price: PriceBreakdown }) {
  const texts = price.excluded.map(({ subject, reason }) => {
    const why = reason === 'CURRENCY_MISMATCH' ? 'is in another currency' : 'no longer exists'
    return subject === 'LINE' ? SUBJECTS.LINE : `${SUBJECTS[subject]} that ${why}`
  })
  return (
    <Alert color="yellow" p="sm">
      <Text size="sm">Not counted: {[...new Set(texts)].join('; ')}.</Text>
    </Alert>
  )
}
