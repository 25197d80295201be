/** A new password. */
import { PasswordInput } from '@mantine/core'

interface PasswordFieldProps {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  label?: string
}

export function PasswordField({ value, onChange, error, label = 'Password' }: PasswordFieldProps) {
  return (
    <PasswordInput
      label={label}
      description="At least 8 characters. Longer is stronger."
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
    />
  )
}
