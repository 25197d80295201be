/** The input of one field of a form. */
import { Checkbox, Select, TextInput, Textarea } from '@mantine/core'
import { ContractInput } from './contract-input.tsx'
import { CURRENCIES, withValue } from './currencies.ts'
import type { Field } from './kind-view.ts'
import { LinesInput } from './lines-input.tsx'
import { PricesInput } from './prices-input.tsx'
import { RecordSelect } from './record-select.tsx'
import { currencyIn } from './values.ts'
import type { FormErrors, FormValue, FormValues, LineRow, PriceRow } from './values.ts'

export interface FieldInputProps {
  field: Field
  values: FormValues
  /** `others` are values that change with it. */
  onChange: (value: FormValue, others?: FormValues) => void
  /** By field, and by entry of a list: `prices.0`. */
  errors: FormErrors
  companyCurrency: string
}

const TEXT_MAX = 10_000
const INPUT_TYPES = { email: 'email', phone: 'tel', url: 'url' } as const

const TIME_ZONES = Intl.supportedValuesOf('timeZone')

export function FieldInput(props: FieldInputProps) {
  const { field, values, onChange, errors, companyCurrency } = props
  const { name, type } = field
  const value = values[name] ?? ''
  if (type === 'prices')
    return (
      <PricesInput
        name={name}
        label={field.label}
        rows={value === '' ? [] : (value as PriceRow[])}
        onChange={onChange}
        errors={errors}
        companyCurrency={companyCurrency}
      />
    )
  if (type === 'lines')
    return (
      <LinesInput
        name={name}
        rows={value === '' ? [] : (value as LineRow[])}
        onChange={onChange}
        errors={errors}
        companyCurrency={companyCurrency}
      />
    )
  if (type === 'checkbox')
    return (
      <Checkbox
        label={field.label}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        error={errors[name]}
      />
    )
  return <TextField {...props} value={value as string} />
}

/** Fields whose value is one text. */
function TextField(props: FieldInputProps & { value: string }) {
  const { field, value, onChange, errors } = props
  const { name, type, note, isOptional } = field
  const label = isOptional === true ? `${field.label} (optional)` : field.label
  const common = { label, error: errors[name], ...(note !== undefined && { description: note }) }
  if (type === 'select' || type === 'timeZone' || type === 'currency') return <ChoiceField {...props} />
  if (type === 'contract') return <ContractInput {...common} value={value} onChange={onChange} />
  if (type === 'location')
    return (
      <RecordSelect
        {...common}
        path="locations"
        value={value === '' ? null : value}
        name={(props.values['locationName'] ?? '') as string}
        onChange={(id, locationName) => onChange(id ?? '', { locationName })}
      />
    )
  if (type !== 'longText') return <ShortField {...props} common={common} />
  return (
    <Textarea
      {...common}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={TEXT_MAX}
    />
  )
}

interface Common {
  label: string
  error: string | undefined
  description?: string
}

function ShortField({
  field,
  values,
  value,
  onChange,
  companyCurrency,
  common,
}: FieldInputProps & { value: string; common: Common }) {
  const { type } = field
  const unit = type === 'percent' ? '%' : type === 'money' ? currencyIn(values, companyCurrency) : null
  const isFigure = unit !== null || type === 'integer'
  return (
    <TextInput
      {...common}
      type={type in INPUT_TYPES ? INPUT_TYPES[type as keyof typeof INPUT_TYPES] : 'text'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      inputMode={isFigure ? 'decimal' : undefined}
      rightSection={unit === null ? null : <span className="record-unit">{unit}</span>}
      rightSectionWidth={unit === null ? 0 : 48}
      maxLength={type === 'url' ? 2_000 : 1_000}
      autoComplete="off"
    />
  )
}

function ChoiceField({ field, value, onChange, errors }: FieldInputProps & { value: string }) {
  const { name, label, type, options = [] } = field
  const data =
    type === 'select'
      ? options.map(([one, text]) => ({ value: one, label: text }))
      : withValue(type === 'currency' ? CURRENCIES : TIME_ZONES, value).map((one) => ({
          value: one,
          label: one.replaceAll('_', ' '),
        }))
  return (
    <Select
      label={label}
      data={data}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      error={errors[name]}
      allowDeselect={false}
      searchable={type !== 'select'}
      nothingFoundMessage="Nothing found"
      limit={100}
    />
  )
}
