/** The prices of a service or add-on: one row for each currency. */
import { ActionIcon, Button, Group, Input, Select, TextInput } from '@mantine/core'
import { PlusIcon, TrashIcon } from '../ui/icons.tsx'
import { CURRENCIES, withValue } from './currencies.ts'
import type { FormErrors, PriceRow } from './values.ts'

interface PricesInputProps {
  name: string
  label: string
  rows: readonly PriceRow[]
  onChange: (rows: PriceRow[]) => void
  errors: FormErrors
  companyCurrency: string
}

export function PricesInput({ name, label, rows, onChange, errors, companyCurrency }: PricesInputProps) {
  // A new service has a field for its price at once.
  const shown = rows.length === 0 ? [{ currency: companyCurrency, amount: '' }] : rows
  const change = (i: number, part: Partial<PriceRow>) =>
    onChange(shown.map((row, at) => (at === i ? { ...row, ...part } : row)))
  const others = CURRENCIES.filter((code) => shown.every(({ currency }) => currency !== code))
  const next = others.includes(companyCurrency)
    ? companyCurrency
    : (others.find((code) => code === 'EUR') ?? others[0])
  return (
    <Input.Wrapper
      label={`${label} (optional)`}
      description="Without a price, you enter it on each quote."
      error={errors[name]}
      labelElement="div"
    >
      <div className="record-prices">
        {shown.map((row, i) => (
          // Rows are told apart by their place only.
          // oxlint-disable-next-line react/no-array-index-key
          <Group key={i} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              aria-label={`Price in ${row.currency}`}
              value={row.amount}
              onChange={({ currentTarget }) => change(i, { amount: currentTarget.value })}
              error={errors[`${name}.${i}`]}
              inputMode="decimal"
              placeholder="0.00"
              autoComplete="off"
              maxLength={30}
              flex={1}
            />
            <Select
              aria-label={`Currency of price ${i + 1}`}
              data={withValue(CURRENCIES, row.currency)}
              value={row.currency}
              onChange={(currency) => change(i, { currency: currency ?? row.currency })}
              searchable
              allowDeselect={false}
              limit={100}
              w={104}
              flex="none"
            />
            {rows.length === 0 ? null : (
              <ActionIcon
                size={36}
                aria-label={`Remove the price in ${row.currency}`}
                onClick={() => onChange(shown.filter((_, at) => at !== i))}
              >
                <TrashIcon />
              </ActionIcon>
            )}
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<PlusIcon />}
          className="record-add"
          onClick={() => onChange([...shown, { currency: next ?? companyCurrency, amount: '' }])}
        >
          Add currency
        </Button>
      </div>
    </Input.Wrapper>
  )
}
