/** The text of a contract, with placeholders to insert and a note on unknown ones. */
import { Button, Group, Menu, Stack, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { CONTRACT_TEXT_MAX, PLACEHOLDERS, findUnknownPlaceholders } from '../../../src/core/placeholders.ts'
import { ChevronIcon } from '../ui/icons.tsx'

interface ContractInputProps {
  label: string
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

export function ContractInput({ label, value, onChange, error }: ContractInputProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const unknown = findUnknownPlaceholders(value)
  const insert = (name: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = input.current ?? {}
    const placeholder = `{{${name}}}`
    onChange(value.slice(0, selectionStart) + placeholder + value.slice(selectionEnd))
    // After the text has changed and the menu has returned the focus.
    setTimeout(() => {
      input.current?.focus()
      input.current?.setSelectionRange(
        selectionStart + placeholder.length,
        selectionStart + placeholder.length,
      )
    })
  }
  const warning =
    unknown.length === 0 ? undefined : `Unknown: ${unknown.join(', ')}. Choose one from the list.`
  return (
    <Stack gap="xs">
      <Textarea
        ref={input}
        label={label}
        description="Placeholders such as {{customer.name}} are replaced when a customer sees the contract."
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error ?? warning}
        autosize
        minRows={10}
        maxRows={28}
        maxLength={CONTRACT_TEXT_MAX}
      />
      <Group justify="space-between">
        <Menu position="bottom-start" width={320} returnFocus={false}>
          <Menu.Target>
            <Button variant="default" size="xs" rightSection={<ChevronIcon />}>
              Insert placeholder
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {Object.entries(PLACEHOLDERS).map(([name, meaning]) => (
              <Menu.Item key={name} onClick={() => insert(name)}>
                {meaning}
                <Text size="xs" c="dimmed" ff="monospace">{`{{${name}}}`}</Text>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Text
          size="xs"
          c="dimmed"
        >{`${value.length.toLocaleString()} of ${CONTRACT_TEXT_MAX.toLocaleString()} characters`}</Text>
      </Group>
    </Stack>
  )
}
