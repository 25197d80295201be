/** Creates a discount, service charge or tax rate without leaving the editor. */
import { Checkbox, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CatalogCharge, CatalogDiscount, CatalogTaxRate } from '../../../src/core/quotes/quote-edit.ts'
import { call, errorsOf } from '../call.ts'
import { parseMoney } from '../format.ts'
import { Form, FormButtons } from '../ui/form.tsx'
import { Note } from '../ui/note.ts'
import { moneyMessage, shownMoney } from './typed-money.ts'
import { FigureInput } from './figure-input.tsx'
import { ErrorAlert } from '../ui/states.tsx'

export type DefinitionKind = 'discount' | 'serviceCharge' | 'taxRate'

export type Definition =
  | { kind: 'discount'; definition: CatalogDiscount }
  | { kind: 'serviceCharge'; definition: CatalogCharge }
  | { kind: 'taxRate'; definition: CatalogTaxRate }

const TEXTS = {
  discount: { title: 'New discount', path: 'discounts', percent: 'percentOff', amount: 'amountOff' },
  serviceCharge: {
    title: 'New service charge',
    path: 'service-charges',
    percent: 'percentage',
    amount: 'amountCents',
  },
  taxRate: { title: 'New tax rate', path: 'tax-rates', percent: 'rate', amount: '' },
} as const

interface NewDefinitionProps {
  /** Null: nothing is being made. */
  kind: DefinitionKind | null
  currency: string
  onClose: () => void
  onCreated: (definition: Definition) => void
}

export function NewDefinitionDialog({ kind, currency, onClose, onCreated }: NewDefinitionProps) {
  return (
    <Modal opened={kind !== null} onClose={onClose} title={kind === null ? '' : TEXTS[kind].title}>
      {kind === null ? null : (
        <DefinitionForm key={kind} kind={kind} currency={currency} onClose={onClose} onCreated={onCreated} />
      )}
    </Modal>
  )
}

function DefinitionForm({
  kind,
  currency,
  onClose,
  onCreated,
}: NewDefinitionProps & { kind: DefinitionKind }) {
  const [name, setName] = useState('')
  const [type, setType] = useState<'PERCENT' | 'AMOUNT'>('PERCENT')
  const [value, setValue] = useState('')
  const [taxable, setTaxable] = useState(true)
  const texts = TEXTS[kind]
  const isPercent = type === 'PERCENT'
  const cents = parseMoney(value, currency)
  const create = useMutation({
    mutationFn: () => {
      const percent = value.trim().replace(',', '.')
      const worth = isPercent ? { [texts.percent]: percent } : { [texts.amount]: cents, currency }
      const typed = kind === 'taxRate' ? {} : { type }
      const taxed = kind === 'serviceCharge' ? { taxable } : {}
      return call<Definition['definition']>('POST', `definitions/${texts.path}`, {
        name,
        ...typed,
        ...worth,
        ...taxed,
      })
    },
    onSuccess: (definition) => onCreated({ kind, definition } as Definition),
  })
  const { fields, failure } = errorsOf(create.error)
  const valueError =
    !isPercent && value !== '' && cents === null
      ? moneyMessage(currency)
      : fields[isPercent ? texts.percent : texts.amount]
  return (
    <Form onSubmit={() => (isPercent || cents !== null) && create.mutate()}>
      <Stack>
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fields['name']}
          maxLength={200}
          data-autofocus
        />
        {kind === 'taxRate' ? null : (
          <SegmentedControl
            aria-label="Type"
            value={type}
            onChange={(next) => setType(next)}
            data={[
              { value: 'PERCENT', label: 'Percentage' },
              { value: 'AMOUNT', label: 'Fixed amount' },
            ]}
          />
        )}
        <FigureInput
          label={isPercent ? 'Percentage' : 'Amount'}
          value={value}
          shown={isPercent ? value : shownMoney(value, currency)}
          onChange={setValue}
          error={valueError}
          rightSection={<span className="edit-unit">{isPercent ? '%' : currency}</span>}
          rightSectionWidth={48}
        />
        {kind === 'serviceCharge' ? (
          <Checkbox
            label="Taxable"
            checked={taxable}
            onChange={(event) => setTaxable(event.currentTarget.checked)}
          />
        ) : null}
        <Note>
          You can use it on other quotes too. Quotes that have it keep its value if you change it later.
        </Note>
        <ErrorAlert error={failure} />
        <FormButtons action="Create" onCancel={onClose} isBusy={create.isPending} />
      </Stack>
    </Form>
  )
}
