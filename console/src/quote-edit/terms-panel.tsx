/** What applies to the whole quote: fees, discount, service charges and tax. */
import { Button, Checkbox, Input, MultiSelect } from '@mantine/core'
import type { Dispatch, ReactNode } from 'react'
import { useId, useState } from 'react'
import { CHARGES_MAX } from '../../../src/core/quotes/quote-edit.ts'
import type { Catalog } from '../../../src/core/quotes/quote-edit.ts'
import { Panel } from '../ui/panel.tsx'
import type { Draft, DraftAction } from './draft.ts'
import { useChoiceSearch } from '../records/choice-search.ts'
import { FigureInput } from './figure-input.tsx'
import { FullSelect } from './full-select.tsx'
import { chargeName, discountName, optionsOf, taxRateName } from './labels.ts'
import { NewDefinitionDialog } from './new-definition.tsx'
import type { Definition, DefinitionKind } from './new-definition.tsx'
import { shownMoney, usualMoney } from './typed-money.ts'

interface TermsPanelProps {
  draft: Draft
  catalog: Catalog
  errors: Readonly<Record<string, string>>
  dispatch: Dispatch<DraftAction>
  /** A definition that was created, or found by a search. */
  onAdded: (definition: Definition) => void
}

export function TermsPanel(props: TermsPanelProps) {
  const { draft, errors, dispatch, onAdded } = props
  const { terms, currency } = draft
  const [making, setMaking] = useState<DefinitionKind | null>(null)
  const change = (fields: Partial<Draft['terms']>) => dispatch({ type: 'terms', change: fields })
  /** A new definition is attached to the quote at once. */
  const attach = (made: Definition) => {
    onAdded(made)
    setMaking(null)
    if (made.kind === 'discount') change({ discountId: made.definition.id })
    if (made.kind === 'taxRate') change({ taxRateId: made.definition.id })
    if (made.kind === 'serviceCharge') {
      change({ serviceChargeIds: [...terms.serviceChargeIds, made.definition.id] })
    }
  }
  return (
    <Panel title="Fees, discount, charges and tax" p={{ base: 'md', sm: 'lg' }}>
      <div className="edit-terms-grid">
        <Fee name="base" label="Base fee" draft={draft} errors={errors} change={change} />
        <Fee name="travel" label="Travel fee" draft={draft} errors={errors} change={change} />
        <Field label="Quote discount" action="New discount" onAction={() => setMaking('discount')}>
          {(field) => <DiscountField {...props} field={field} change={change} />}
        </Field>
        <Field label="Tax" action="New tax rate" onAction={() => setMaking('taxRate')}>
          {(field) => <TaxField {...props} field={field} change={change} />}
        </Field>
        <Field label="Service charges" action="New charge" onAction={() => setMaking('serviceCharge')} isWide>
          {(field) => <ChargesField {...props} field={field} change={change} />}
        </Field>
      </div>
      <NewDefinitionDialog
        kind={making}
        currency={currency}
        onClose={() => setMaking(null)}
        onCreated={attach}
      />
    </Panel>
  )
}

/** A select with a button that creates a new option. */
function Field(props: {
  label: string
  /** The props of the field itself. */
  children: (field: { id: string; 'aria-label': string }) => ReactNode
  action: string
  onAction: () => void
  isWide?: boolean
}) {
  const { label, children, action, onAction, isWide = false } = props
  const id = useId()
  return (
    <div className={isWide ? 'edit-field edit-wide' : 'edit-field'}>
      <div className="edit-field-head">
        <Input.Label htmlFor={id}>{label}</Input.Label>
        <Button className="edit-new edit-quiet" variant="subtle" size="compact-xs" onClick={onAction}>
          {action}
        </Button>
      </div>
      {children({ id, 'aria-label': label })}
    </div>
  )
}

interface ChoiceProps extends TermsPanelProps {
  field: { id: string; 'aria-label': string }
  change: (fields: Partial<Draft['terms']>) => void
}

function DiscountField({ draft, catalog, errors, onAdded, field, change }: ChoiceProps) {
  const { discountId } = draft.terms
  const found = useChoiceSearch({
    path: 'discounts',
    loaded: catalog.discounts,
    value: discountId,
    labelOf: discountName,
  })
  return (
    <FullSelect
      {...field}
      {...found.field}
      placeholder="No discount"
      data={optionsOf(found.choices, discountName, [discountId], draft.currency)}
      value={discountId}
      onChange={(id) => {
        const definition = newIn(catalog.discounts, found.choices, id)
        if (definition !== undefined) onAdded({ kind: 'discount', definition })
        change({ discountId: id })
      }}
      error={errors['discountId']}
      clearable
    />
  )
}

function TaxField({ draft, catalog, errors, onAdded, field, change }: ChoiceProps) {
  const { taxRateId } = draft.terms
  const found = useChoiceSearch({
    path: 'tax-rates',
    loaded: catalog.taxRates,
    value: taxRateId,
    labelOf: taxRateName,
  })
  return (
    <FullSelect
      {...field}
      {...found.field}
      placeholder="No tax"
      data={optionsOf(found.choices, taxRateName, [taxRateId], draft.currency)}
      value={taxRateId}
      onChange={(id) => {
        const definition = newIn(catalog.taxRates, found.choices, id)
        if (definition !== undefined) onAdded({ kind: 'taxRate', definition })
        change({ taxRateId: id })
      }}
      error={errors['taxRateId']}
      clearable
    />
  )
}

function ChargesField({ draft, catalog, errors, onAdded, field, change }: ChoiceProps) {
  const { serviceChargeIds } = draft.terms
  const found = useChoiceSearch({
    path: 'service-charges',
    loaded: catalog.serviceCharges,
    value: serviceChargeIds,
  })
  return (
    <MultiSelect
      {...field}
      {...found.field}
      classNames={{ pill: 'edit-pill', option: 'edit-option', inputField: 'edit-search' }}
      placeholder={serviceChargeIds.length === 0 ? 'No service charges' : ''}
      data={optionsOf(found.choices, chargeName, serviceChargeIds, draft.currency)}
      value={serviceChargeIds}
      onChange={(ids) => {
        const definition = newIn(catalog.serviceCharges, found.choices, ids.at(-1))
        if (definition !== undefined) onAdded({ kind: 'serviceCharge', definition })
        change({ serviceChargeIds: ids })
      }}
      error={errors['serviceChargeIds']}
      maxValues={CHARGES_MAX}
      clearable
      hidePickedOptions
    />
  )
}

/** The choice that the catalog of the editor lacks, for the price as well. */
function newIn<One extends { id: string }>(
  catalog: readonly One[],
  found: readonly One[],
  id: string | null | undefined,
): One | undefined {
  const one = catalog.some((known) => known.id === id) ? undefined : found.find((other) => other.id === id)
  return one && { ...one, found: true }
}

interface FeeProps {
  name: 'base' | 'travel'
  label: string
  draft: Draft
  errors: Readonly<Record<string, string>>
  change: (fields: Partial<Draft['terms']>) => void
}

function Fee({ name, label, draft, errors, change }: FeeProps) {
  const { terms, currency } = draft
  const field = `${name}Fee` as const
  const taxable = `${name}FeeTaxable` as const
  return (
    <div className="edit-fee">
      <FigureInput
        label={label}
        value={terms[field]}
        shown={shownMoney(terms[field], currency)}
        onChange={(text) => change({ [field]: text })}
        onBlur={() => change({ [field]: usualMoney(terms[field], currency) })}
        error={errors[field]}
        rightSection={<span className="edit-unit">{currency}</span>}
        rightSectionWidth={48}
      />
      <Checkbox
        label="Taxable"
        aria-label={`${label} is taxable`}
        checked={terms[taxable]}
        onChange={(event) => change({ [taxable]: event.currentTarget.checked })}
      />
    </div>
  )
}
