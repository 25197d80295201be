/** Names what the quote has and no other quote can get, such as last year's tax rate in a copy. */
import { Alert, Text } from '@mantine/core'
import type { QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog } from '../../../src/core/quotes/quote-edit.ts'
import type { Draft } from './draft.ts'

interface ArchivedBarProps {
  draft: Draft
  catalog: Catalog
  choices: QuoteChoices
}

interface Named {
  id: string
  name: string
  isArchived: boolean
}

export function ArchivedBar({ draft, catalog, choices }: ArchivedBarProps) {
  const names = archivedNames(draft, catalog, choices)
  if (names.length === 0) return null
  return (
    <Alert color="yellow" role="status" p="sm">
      <Text size="sm">
        Archived: {names.join(', ')}. The quote can keep {names.length === 1 ? 'it' : 'them'}, or you choose
        something else.
      </Text>
    </Alert>
  )
}

function archivedNames({ terms, details, lines }: Draft, catalog: Catalog, choices: QuoteChoices): string[] {
  const kept = lines.filter(({ isRemoved }) => !isRemoved)
  const used: [readonly Named[], readonly (string | null)[]][] = [
    [catalog.services, kept.map(({ serviceId }) => serviceId)],
    [catalog.addons, kept.map(({ addonId }) => addonId)],
    [catalog.discounts, [terms.discountId, ...kept.map(({ discountId }) => discountId)]],
    [catalog.serviceCharges, terms.serviceChargeIds],
    [catalog.taxRates, [terms.taxRateId]],
    [choices.locations, [details.locationId]],
    [choices.eventTypes, [details.eventTypeId]],
    [choices.paymentTerms, [details.paymentTermsId]],
    [choices.contracts, [details.contractId]],
  ]
  return used.flatMap(([records, ids]) =>
    records.filter(({ id, isArchived }) => isArchived && ids.includes(id)).map(({ name }) => name),
  )
}
