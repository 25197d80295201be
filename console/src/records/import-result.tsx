/** The result of a dry run: the first records, or the errors of each row. */
import { Alert, Table, Text } from '@mantine/core'
import type { ImportAnswer } from '../../../src/console/record-import.ts'
import type { ImportPath } from '../../../src/core/record-kinds.ts'
import { formatMoney, formatNumber } from '../format.ts'
import { useSession } from '../session.ts'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'
import { targetLabel } from './import-columns.tsx'
import type { KindView } from './kind-view.ts'

interface ImportResultProps {
  view: KindView
  path: ImportPath
  plan: ImportAnswer
}

export function ImportResult({ view, path, plan }: ImportResultProps) {
  const { rowCount, invalidRowCount, errors, sameEmailCount } = plan
  return (
    <Panel title="Result" className="record-import" gap="sm">
      {errors.length === 0 ? (
        <Text size="sm">
          {rowCount === 1
            ? '1 row can be imported. It looks like this:'
            : `${formatNumber(rowCount)} rows can be imported. The first ones look like this:`}
        </Text>
      ) : (
        <Alert
          color="red"
          title={`${formatNumber(invalidRowCount)} of ${formatNumber(rowCount)} rows have errors`}
        >
          Nothing can be imported until you correct the file, or choose other columns.
        </Alert>
      )}
      {sameEmailCount === 0 ? null : (
        <Alert color="orange">
          {`${formatNumber(sameEmailCount)} ${sameEmailCount === 1 ? 'row has' : 'rows have'} the email address of a contact you already have. They are imported as new contacts.`}
        </Alert>
      )}
      <div
        className="record-grid"
        // It scrolls, and nothing in it can have the focus.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label={errors.length === 0 ? 'First rows' : 'Errors'}
      >
        {errors.length === 0 ? <Sample view={view} plan={plan} /> : <Errors path={path} plan={plan} />}
      </div>
    </Panel>
  )
}

function Sample({ view, plan: { sample } }: { view: KindView; plan: ImportAnswer }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          {view.fields.map(({ name, label }) => (
            <Table.Th key={name} scope="col">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sample.map((record, i) => (
          // Rows may be the same.
          // oxlint-disable-next-line react/no-array-index-key
          <Table.Tr key={i}>
            {view.fields.map(({ name, options = [] }) => (
              <Table.Td key={name} className="record-cell">
                {cellText(record[name], options)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function cellText(value: unknown, options: readonly (readonly [string, string])[]): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value))
    return (value as { currency: string; unitPriceCents: number }[])
      .map(({ currency, unitPriceCents }) => formatMoney(unitPriceCents, currency))
      .join(', ')
  return options.find(([one]) => one === value)?.[1] ?? (value as string)
}

function Errors({ path, plan: { errors, errorCount } }: { path: ImportPath; plan: ImportAnswer }) {
  const { currency } = useSession().company
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Line</Table.Th>
            <Table.Th scope="col">Problem</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {errors.map(({ line, target, message }) => (
            <Table.Tr key={`${line} ${target} ${message}`}>
              <Table.Td className="app-figure">{formatNumber(line)}</Table.Td>
              <Table.Td className="record-cell">
                {target === null ? message : `${targetLabel(path, target, currency)} ${message}`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {errorCount > errors.length ? (
        <Note mt="xs">Only the first {formatNumber(errors.length)} problems are listed.</Note>
      ) : null}
    </>
  )
}
