/** A field for a password, by default for a new one. */
import { PasswordInput } from '@mantine/core'
import type { PasswordInputProps } from '@mantine/core'

interface PasswordFieldProps extends Pick<
  PasswordInputProps,
  'autoComplete' | 'description' | 'error' | 'label' | 'name' | 'value'
> {
  onChange: (password: string) => void
  /** Names the password in the label of the button that shows it, if the form has several. */
  shown?: string
}

export function PasswordField({ onChange, shown = 'password', ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      label="Password"
      description="At least 8 characters. Longer is stronger."
      autoComplete="new-password"
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide the ${shown}` }}
      {...props}
    />
  )
}
