/** Fields for the defaults of new quotes. */
import { MultiSelect } from '@mantine/core'
import type { CompanyAnswer } from '../../../src/console/company.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import { labelWithState, useChoiceSearch } from '../records/choice-search.ts'
import { ChoiceField } from './fields.tsx'
import type { FormProps } from './fields.tsx'
import { LABELS } from './profile.ts'

type Choices = CompanyAnswer['choices'][keyof CompanyAnswer['choices']]

interface DefaultFieldProps extends FormProps {
  name: 'defaultTaxRateId' | 'defaultPaymentTermsId' | 'defaultContractId'
  path: RecordPath
  loaded: Choices
}

export function DefaultField({ path, loaded, ...props }: DefaultFieldProps) {
  const chosen = props.form.draft[props.name]
  const { choices, field } = useChoiceSearch({ path, loaded, value: chosen, labelOf: labelWithState })
  return (
    <ChoiceField
      {...props}
      {...field}
      {...noteOn(choices.filter(({ id }) => id === chosen))}
      data={choices.map((choice) => ({ value: choice.id, label: labelWithState(choice) }))}
      placeholder="None"
    />
  )
}

export function DefaultChargesField({ form, isReadOnly }: FormProps) {
  const { defaultServiceChargeIds: ids } = form.draft
  const { choices, field } = useChoiceSearch({
    path: 'service-charges',
    loaded: form.stored.choices.serviceCharges,
    value: ids,
    labelOf,
  })
  return (
    <MultiSelect
      nothingFoundMessage="Nothing found"
      {...field}
      {...noteOn(choices.filter(({ id }) => ids.includes(id)))}
      label={LABELS.defaultServiceChargeIds}
      data={choices.map((choice) => ({ value: choice.id, label: labelOf(choice) }))}
      value={ids}
      onChange={(chosen) => form.set('defaultServiceChargeIds', chosen)}
      error={form.errors['defaultServiceChargeIds']}
      placeholder={ids.length === 0 ? 'None' : undefined}
      readOnly={isReadOnly}
    />
  )
}

function labelOf({ currency, ...choice }: Choices[number]): string {
  return currency === null ? labelWithState(choice) : `${labelWithState(choice)} (${currency})`
}

/** An import can bring defaults that are archived. */
function noteOn(chosen: Choices) {
  return chosen.some(({ isArchived }) => isArchived)
    ? { description: 'New quotes do not get it, because it is archived.' }
    : {}
}
