/** The fields of the profile form. Members see them without being able to change them. */
import { NumberInput, Select, TextInput, Textarea } from '@mantine/core'
import type { SelectProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { LABELS } from './profile.ts'
import type { FieldName, Values } from './profile.ts'
import type { ProfileState } from './use-profile.ts'

export interface FormProps {
  form: ProfileState
  isReadOnly: boolean
}

interface FieldProps<Name extends FieldName> extends FormProps {
  name: Name
  description?: ReactNode
}

/** Fields with a text. */
type TextName = { [Name in FieldName]: Values[Name] extends string | null ? Name : never }[FieldName]
type NumberName = { [Name in FieldName]: Values[Name] extends number ? Name : never }[FieldName]

interface TextFieldProps extends FieldProps<TextName> {
  type?: 'text' | 'email' | 'tel' | 'url'
  autoComplete?: string
  placeholder?: string
  isLong?: boolean
}

export function TextField({
  form,
  isReadOnly,
  name,
  isLong = false,
  type = 'text',
  ...props
}: TextFieldProps) {
  const shared = {
    label: LABELS[name],
    value: form.draft[name] ?? '',
    error: form.errors[name],
    readOnly: isReadOnly,
    onChange: (event: { currentTarget: { value: string } }) => form.set(name, event.currentTarget.value),
    autoComplete: 'off',
    ...props,
  }
  return isLong ? (
    <Textarea autosize minRows={3} maxRows={12} {...shared} />
  ) : (
    <TextInput type={type} {...shared} />
  )
}

export function NumberField({ form, isReadOnly, name, description }: FieldProps<NumberName>) {
  return (
    <NumberInput
      label={LABELS[name]}
      description={description}
      value={form.draft[name]}
      // An empty field is refused when it is saved, with a message.
      onChange={(value) => form.set(name, value as number)}
      error={form.errors[name]}
      readOnly={isReadOnly}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      inputMode="numeric"
    />
  )
}

type ChoiceFieldProps = FieldProps<TextName> &
  Pick<
    SelectProps,
    'filter' | 'inputWrapperOrder' | 'limit' | 'nothingFoundMessage' | 'onSearchChange' | 'searchable'
  > & {
    data: { value: string; label: string }[]
    placeholder?: string
    clearable?: boolean
  }

export function ChoiceField({ form, isReadOnly, name, data, clearable = true, ...props }: ChoiceFieldProps) {
  return (
    <Select
      label={LABELS[name]}
      data={data}
      value={form.draft[name]}
      onChange={(value) => form.set(name, value)}
      error={form.errors[name]}
      readOnly={isReadOnly}
      clearable={clearable && !isReadOnly}
      clearButtonProps={{ 'aria-label': `Clear ${LABELS[name].toLowerCase()}` }}
      searchable
      nothingFoundMessage="Nothing found"
      {...props}
    />
  )
}
