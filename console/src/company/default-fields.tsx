/** Fields for the defaults of new quotes. */
import { MultiSelect } from '@mantine/core'
import type { CompanyAnswer } from '../../../src/console/company.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import { useChoiceSearch } from '../records/choice-search.ts'
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
  const { choices, field } = useChoiceSearch({ path, loaded, value: props.form.draft[props.name] })
  return (
    <ChoiceField
      {...props}
      {...field}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
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
  })
  return (
    <MultiSelect
      nothingFoundMessage="Nothing found"
      {...field}
      label={LABELS.defaultServiceChargeIds}
      data={choices.map(({ id, name, currency }) => ({
        value: id,
        label: currency === null ? name : `${name} (${currency})`,
      }))}
      value={ids}
      onChange={(chosen) => form.set('defaultServiceChargeIds', chosen)}
      error={form.errors['defaultServiceChargeIds']}
      placeholder={ids.length === 0 ? 'None' : undefined}
      readOnly={isReadOnly}
    />
  )
}
