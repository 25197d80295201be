/** An amount in the digits of its currency. What is typed stays as it is until the field is left. */
import { TextInput } from '@mantine/core'
import type { TextInputProps } from '@mantine/core'

interface NumberInputProps extends Omit<TextInputProps, 'onChange'> {
  value: string
  onChange: (text: string) => void
}

export function FigureInput({ onChange, ...props }: NumberInputProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      classNames={{ input: 'edit-figure' }}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      {...props}
    />
  )
}
