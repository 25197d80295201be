/** A page of records: a table, or cards where there is no room for one. */
import { Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useLocation } from 'react-router'
import type { StoredRecord } from '../../../src/console/records.ts'
import { Loading, TextBone, countTo, nameWidth } from '../loading.tsx'
import { EmailText } from '../quotes/email-text.tsx'
import { useSession } from '../session.ts'
import { RowArrow } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { CELLS } from './cells.ts'
import type { KindView } from './kind-view.ts'
import { pageOf, recordName } from './kinds.ts'

const NARROW = '(max-width: 47.99em)'

const useIsNarrow = () => useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })

interface RecordTableProps {
  view: KindView
  records: readonly StoredRecord[]
}

export function RecordTable({ view, records }: RecordTableProps) {
  return useIsNarrow() ? <Cards view={view} records={records} /> : <Rows view={view} records={records} />
}

/** Remembers the filters for the link back to this table. */
function RecordLink({ view, record }: { view: KindView; record: StoredRecord }) {
  const { search } = useLocation()
  return (
    <Link to={pageOf(view.path, record.id)} state={{ records: search }} className="app-row-name">
      <EmailText text={recordName(view, record)} />
    </Link>
  )
}

function Head({ view }: { view: KindView }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th scope="col">Name</Table.Th>
        {view.columns.map((name) => (
          <Table.Th key={name} scope="col">
            {CELLS[name]?.label}
          </Table.Th>
        ))}
        <Table.Th aria-hidden="true" />
      </Table.Tr>
    </Table.Thead>
  )
}

function Rows({ view, records }: RecordTableProps) {
  const { currency } = useSession().company
  return (
    <div className="app-panel record-grid">
      <Table aria-label={view.title}>
        <Head view={view} />
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr key={record.id} className="app-row">
              <Table.Td className="record-name">
                <RecordLink view={view} record={record} />
              </Table.Td>
              {view.columns.map((name) => (
                <Table.Td key={name} className="record-cell">
                  <Text size="sm" lineClamp={2} component="span">
                    {CELLS[name]?.text(record, currency)}
                  </Text>
                </Table.Td>
              ))}
              <Table.Td className="record-arrow" aria-hidden="true">
                <RowArrow />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Cards({ view, records }: RecordTableProps) {
  const { currency } = useSession().company
  return (
    <ul className="app-list record-cards" aria-label={view.title}>
      {records.map((record) => {
        const texts = view.columns.map((name) => CELLS[name]?.text(record, currency) ?? '')
        return (
          <li key={record.id} className="app-panel record-card app-row">
            <div className="record-card-text">
              <RecordLink view={view} record={record} />
              <Note lineClamp={2}>
                {texts.filter((text) => text !== '' && text !== recordName(view, record)).join(' · ')}
              </Note>
            </div>
            <RowArrow />
          </li>
        )
      })}
    </ul>
  )
}

const ROWS = 12

export function RecordTableSkeleton({ view }: { view: KindView }) {
  const isNarrow = useIsNarrow()
  return (
    <Loading label={`Loading ${view.plural}`}>
      {isNarrow ? (
        <div className="record-cards">
          {countTo(ROWS).map((row) => (
            <div key={row} className="app-panel record-card">
              <div className="record-card-text">
                <TextBone width={nameWidth(row)} fz="md" />
                <TextBone width="70%" />
              </div>
            </div>
          ))}
        </div>
      ) : (
        <div className="app-panel record-grid">
          <Table>
            <Head view={view} />
            <Table.Tbody>
              {countTo(ROWS).map((row) => (
                <Table.Tr key={row}>
                  <Table.Td className="record-name">
                    <TextBone width={nameWidth(row)} />
                  </Table.Td>
                  {view.columns.map((name, i) => (
                    <Table.Td key={name}>
                      <TextBone width={nameWidth(row + i)} />
                    </Table.Td>
                  ))}
                  <Table.Td className="record-arrow" />
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Loading>
  )
}
