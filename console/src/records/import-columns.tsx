/** Says which column of a CSV file becomes which field. */
import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import type { ImportAnswer } from '../../../src/console/record-import.ts'
import { IMPORT_TARGETS, currencyOfTarget } from '../../../src/core/import-columns.ts'
import type { ImportMapping } from '../../../src/core/import-columns.ts'
import type { ImportPath } from '../../../src/core/record-kinds.ts'
import { useSession } from '../session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { CURRENCIES } from './currencies.ts'

interface ImportColumnsProps {
  path: ImportPath
  plan: ImportAnswer
  onChange: (mapping: ImportMapping) => void
}

export function targetLabel(path: ImportPath, name: string, companyCurrency: string): string {
  const currency = name === 'price' ? companyCurrency : currencyOfTarget(name)
  if (currency !== null) return `Price in ${currency}`
  return IMPORT_TARGETS[path].find((target) => target.name === name)?.label ?? name
}

export function ImportColumns({ path, plan: { headers, mapping }, onChange }: ImportColumnsProps) {
  const { currency } = useSession().company
  const [added, setAdded] = useState<string[]>([])
  const own = IMPORT_TARGETS[path].map(({ name }) => name)
  const names = [...new Set([...own, ...Object.keys(mapping), ...added])]
  const columns = headers.map((header, i) => ({ value: String(i), label: header || `Column ${i + 1}` }))
  const set = (name: string, column: string | null) => {
    const { [name]: _, ...others } = mapping
    onChange(column === null ? others : { ...others, [name]: Number(column) })
  }
  return (
    <Panel title="Columns" className="record-import" gap="sm">
      <Note>Choose the column of your file for each field. Other columns are skipped.</Note>
      <div className="record-mapping">
        {names.map((name) => (
          <Select
            key={name}
            label={targetLabel(path, name, currency)}
            placeholder="Not in the file"
            data={columns}
            value={mapping[name] === undefined ? null : String(mapping[name])}
            onChange={(column) => set(name, column)}
            clearable
            searchable
            clearButtonProps={{ 'aria-label': `Clear ${targetLabel(path, name, currency)}` }}
          />
        ))}
      </div>
      {path === 'contacts' ? null : (
        <AddCurrency known={names} onAdd={(code) => setAdded([...added, `price:${code}`])} />
      )}
    </Panel>
  )
}

function AddCurrency({ known, onAdd }: { known: readonly string[]; onAdd: (code: string) => void }) {
  const { currency } = useSession().company
  const [isOpen, setIsOpen] = useState(false)
  const codes = CURRENCIES.filter((code) => code !== currency && !known.includes(`price:${code}`))
  if (!isOpen)
    return (
      <Group>
        <Button variant="subtle" size="compact-sm" leftSection={<PlusIcon />} onClick={() => setIsOpen(true)}>
          Add price in another currency
        </Button>
      </Group>
    )
  return (
    <Select
      label="Currency"
      data={codes}
      value={null}
      onChange={(code) => {
        if (code !== null) onAdd(code)
        setIsOpen(false)
      }}
      searchable
      limit={100}
      maw={200}
    />
  )
}
