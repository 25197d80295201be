/** Whether a line of a package is always part of it, optional, or one of several alternatives. */
import { Autocomplete, Checkbox, Radio, Select } from '@mantine/core'
import { newGroupName } from '../../../src/core/quotes/quote-options.ts'
import type { LineRow } from './values.ts'

const ROLES = [
  { value: 'always', label: 'Always included' },
  { value: 'optional', label: 'Optional' },
  { value: 'alternative', label: 'Alternative' },
]

type Options = Pick<LineRow, 'optional' | 'selected' | 'optionGroup'>

interface OptionProps {
  row: LineRow
  onChange: (options: Partial<Options>) => void
}

const roleOf = ({ optional, optionGroup }: Options) =>
  optionGroup !== null ? 'alternative' : optional ? 'optional' : 'always'

/** `rows`: all lines of the package. */
export function RoleInput({ row, rows, onChange }: OptionProps & { rows: readonly LineRow[] }) {
  const { optionGroup } = row
  return (
    <div className="record-line-role">
      <Select
        label="In the quote"
        data={ROLES}
        value={roleOf(row)}
        onChange={(role) => onChange(optionsFor(role, row, rows))}
        allowDeselect={false}
      />
      {optionGroup === null ? null : (
        <Autocomplete
          label="Group of alternatives"
          data={groupsOf(rows)}
          value={optionGroup}
          onChange={(name) => onChange({ optionGroup: name })}
          maxLength={200}
        />
      )}
    </div>
  )
}

/** `onSelect`: selects this alternative instead of the others in its group. */
export function SelectedInput({ row, onChange, onSelect }: OptionProps & { onSelect: () => void }) {
  const { key, selected } = row
  const role = roleOf(row)
  if (role === 'always') return null
  return role === 'alternative' ? (
    <Radio label="Selected at first" name={`selected ${key}`} checked={selected} onChange={onSelect} />
  ) : (
    <Checkbox
      label="Selected at first"
      checked={selected}
      onChange={({ currentTarget }) => onChange({ selected: currentTarget.checked })}
    />
  )
}

/** An alternative joins the group of the last one, because its alternatives usually stand together. */
function optionsFor(role: string | null, row: LineRow, rows: readonly LineRow[]): Options {
  if (role !== 'alternative') return { optional: role === 'optional', selected: true, optionGroup: null }
  const before = rows.slice(0, rows.indexOf(row)).findLast(({ optionGroup }) => optionGroup !== null)
  const optionGroup = before?.optionGroup ?? newGroupName('Choice', rows)
  return { optional: false, selected: before === undefined, optionGroup }
}

const groupsOf = (rows: readonly LineRow[]) => [
  ...new Set(
    rows.flatMap(({ optionGroup }) => (optionGroup === null || optionGroup === '' ? [] : optionGroup)),
  ),
]
