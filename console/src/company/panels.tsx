/** The panels of the profile form. */
import { Alert, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMoney } from '../format.ts'
import { Panel } from '../ui/panel.tsx'
import { countries, currencies, localeChoices, timeZones, withValue } from './choices.ts'
import { DefaultChargesField, DefaultField } from './default-fields.tsx'
import { ChoiceField, NumberField, TextField } from './fields.tsx'
import type { FormProps } from './fields.tsx'

const Pair = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" className="company-pair">
    {children}
  </SimpleGrid>
)

export function IdentityPanel(props: FormProps) {
  return (
    <Panel title="Company" note="Customers see this on quotes and invoices.">
      <TextField {...props} name="name" autoComplete="organization" />
      <Pair>
        <TextField {...props} name="legalName" />
        <TextField {...props} name="taxNumber" />
      </Pair>
      <Pair>
        <TextField {...props} name="email" type="email" autoComplete="email" />
        <TextField {...props} name="phone" type="tel" autoComplete="tel" />
      </Pair>
      <TextField {...props} name="website" type="url" placeholder="https://example.com" />
    </Panel>
  )
}

export function AddressPanel(props: FormProps) {
  return (
    <Panel title="Address">
      <TextField {...props} name="streetAddress" autoComplete="street-address" />
      <Pair>
        <TextField {...props} name="city" autoComplete="address-level2" />
        <TextField {...props} name="zip" autoComplete="postal-code" />
        <TextField {...props} name="state" autoComplete="address-level1" />
        <ChoiceField {...props} name="country" data={countries()} />
      </Pair>
    </Panel>
  )
}

export function RegionPanel(props: FormProps) {
  const { draft, stored } = props.form
  const { currency, timeZone, locale } = draft
  return (
    <Panel title="Region">
      <ChoiceField
        {...props}
        name="currency"
        description="Used for new quotes. Existing quotes keep their currency."
        data={withValue(currencies(), currency)}
        clearable={false}
      />
      {currency === stored.profile.currency ? null : (
        <CurrencyNote before={stored.profile.currency} after={currency} />
      )}
      <ChoiceField {...props} name="timeZone" data={withValue(timeZones(), timeZone)} />
      <ChoiceField {...props} name="locale" data={withValue(localeChoices(), locale)} />
    </Panel>
  )
}

const EXAMPLE_CENTS = 10_000

function CurrencyNote({ before, after }: { before: string; after: string }) {
  return (
    <Alert color="yellow" role="status">
      Prices in packages and fixed deposits are not converted: {formatMoney(EXAMPLE_CENTS, before)} becomes{' '}
      {formatMoney(EXAMPLE_CENTS, after)}. New quotes need services and add-ons with a price in {after}.
      Discounts and charges with an amount stay in {before}. Check all of these after you save.
    </Alert>
  )
}

export function QuotesPanel(props: FormProps) {
  const { choices } = props.form.stored
  return (
    <Panel title="New quotes" note="New quotes start with these. You can change them on each quote.">
      <Pair>
        <DefaultField {...props} name="defaultTaxRateId" path="tax-rates" loaded={choices.taxRates} />
        <DefaultField
          {...props}
          name="defaultPaymentTermsId"
          path="payment-terms"
          loaded={choices.paymentTerms}
        />
      </Pair>
      <DefaultField {...props} name="defaultContractId" path="contracts" loaded={choices.contracts} />
      <DefaultChargesField {...props} />
      <NumberField {...props} name="quoteValidDays" />
      <Pair>
        <TextField {...props} name="quotePrefix" placeholder="Q-" />
        <NumberField {...props} name="nextQuoteNumber" />
      </Pair>
    </Panel>
  )
}

export function InvoicesPanel(props: FormProps) {
  return (
    <Panel title="Invoices">
      <Pair>
        <TextField {...props} name="invoicePrefix" placeholder="INV-" />
        <NumberField {...props} name="nextInvoiceNumber" />
      </Pair>
      <TextField
        {...props}
        name="howToPay"
        isLong
        description="Shown on invoices, such as your bank account or a link."
      />
      <TextField {...props} name="footer" isLong description="Below each quote and invoice." />
    </Panel>
  )
}
