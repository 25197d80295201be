/** The lines of a package. */
import { ActionIcon, Button, Checkbox, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { withValidOptions } from '../../../src/core/quotes/quote-options.ts'
import { PlusIcon, TrashIcon, UpIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { RoleInput, SelectedInput } from './option-input.tsx'
import { RecordSelect } from './record-select.tsx'
import { nextKey } from './values.ts'
import type { FormErrors, LineRow } from './values.ts'

interface LinesInputProps {
  name: string
  rows: readonly LineRow[]
  onChange: (rows: LineRow[]) => void
  errors: FormErrors
  companyCurrency: string
}

const KINDS = [
  { value: 'SERVICE', label: 'Service' },
  { value: 'ADDON', label: 'Add-on' },
  { value: 'CUSTOM', label: 'Custom' },
]

const newLine = (kind: LineRow['kind']): LineRow => ({
  key: nextKey(),
  kind,
  itemId: null,
  itemName: '',
  description: '',
  quantity: '1',
  price: '',
  taxable: true,
  optional: false,
  selected: true,
  optionGroup: null,
})

const LINES_MAX = 200

export function LinesInput({ name, rows, onChange, errors, companyCurrency }: LinesInputProps) {
  const change = (i: number, part: Partial<LineRow>) =>
    onChange(withValidOptions(rows.map((row, at) => (at === i ? { ...row, ...part } : row))))
  const select = ({ key, optionGroup }: LineRow) =>
    onChange(
      rows.map((row) => (row.optionGroup === optionGroup ? { ...row, selected: row.key === key } : row)),
    )
  const moveUp = (i: number) => {
    const [moved, ...others] = [rows[i], ...rows.filter((_, at) => at !== i)]
    if (moved !== undefined) onChange([...others.slice(0, i - 1), moved, ...others.slice(i - 1)] as LineRow[])
  }
  return (
    <Stack gap="sm" component="section" aria-labelledby="package-lines">
      <Title order={3} id="package-lines">
        Lines
      </Title>
      {rows.length === 0 ? <Note>Add the services and add-ons that belong to this package.</Note> : null}
      {rows.map((row, i) => (
        <Line
          key={row.key}
          row={row}
          rows={rows}
          number={i + 1}
          onChange={(part) => change(i, part)}
          onSelect={() => select(row)}
          onRemove={() => onChange(withValidOptions(rows.filter((_, at) => at !== i)))}
          onMoveUp={i === 0 ? null : () => moveUp(i)}
          error={
            Object.entries(errors).find(
              ([place]) => place === `${name}.${i}` || place.startsWith(`${name}.${i}.`),
            )?.[1]
          }
          currency={companyCurrency}
        />
      ))}
      <Group gap="xs">
        {KINDS.map(({ value, label }) => (
          <Button
            key={value}
            variant="default"
            size="xs"
            leftSection={<PlusIcon />}
            disabled={rows.length >= LINES_MAX}
            onClick={() => onChange([...rows, newLine(value as LineRow['kind'])])}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

interface LineProps {
  row: LineRow
  rows: readonly LineRow[]
  number: number
  onChange: (part: Partial<LineRow>) => void
  onSelect: () => void
  onRemove: () => void
  onMoveUp: (() => void) | null
  error: string | undefined
  currency: string
}

function Line(props: LineProps) {
  const { row, rows, number, onChange, onSelect, onRemove, onMoveUp, error, currency } = props
  const { kind } = row
  return (
    <fieldset className="record-line">
      <legend>{`Line ${number}`}</legend>
      <div className="record-line-fields">
        <Select
          label="Kind"
          data={KINDS}
          value={kind}
          onChange={(next) =>
            onChange({ kind: next as LineRow['kind'], itemId: null, itemName: '', description: '' })
          }
          allowDeselect={false}
        />
        {kind === 'CUSTOM' ? (
          <TextInput
            label="Description"
            value={row.description}
            onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
            maxLength={1_000}
            className="is-wide"
          />
        ) : (
          <div className="is-wide">
            <RecordSelect
              key={kind}
              path={kind === 'SERVICE' ? 'services' : 'addons'}
              label={kind === 'SERVICE' ? 'Service' : 'Add-on'}
              value={row.itemId}
              name={row.itemName}
              onChange={(itemId, itemName, item) =>
                onChange({
                  itemId,
                  itemName,
                  taxable: item === undefined ? row.taxable : item['taxable'] === true,
                })
              }
            />
          </div>
        )}
        <TextInput
          label="Quantity"
          value={row.quantity}
          onChange={({ currentTarget }) => onChange({ quantity: currentTarget.value })}
          inputMode="decimal"
          maxLength={20}
        />
        <TextInput
          label={`Unit price (${currency})`}
          placeholder={kind === 'CUSTOM' ? '0.00' : 'From the catalog'}
          value={row.price}
          onChange={({ currentTarget }) => onChange({ price: currentTarget.value })}
          inputMode="decimal"
          maxLength={30}
        />
      </div>
      {error === undefined ? null : (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {kind === 'CUSTOM' ? null : (
        <TextInput
          label="Note (optional)"
          placeholder="Shown below the name on the quote"
          value={row.description}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
          maxLength={1_000}
        />
      )}
      <RoleInput row={row} rows={rows} onChange={onChange} />
      <Group justify="space-between" gap="sm">
        <Group gap="md">
          <SelectedInput row={row} onChange={onChange} onSelect={onSelect} />
          <Checkbox
            label="Taxable"
            checked={row.taxable}
            onChange={({ currentTarget }) => onChange({ taxable: currentTarget.checked })}
          />
        </Group>
        <Group gap={4}>
          {onMoveUp === null ? null : (
            <ActionIcon size={36} aria-label={`Move line ${number} up`} onClick={onMoveUp}>
              <UpIcon />
            </ActionIcon>
          )}
          <ActionIcon size={36} aria-label={`Remove line ${number}`} onClick={onRemove}>
            <TrashIcon />
          </ActionIcon>
        </Group>
      </Group>
    </fieldset>
  )
}
