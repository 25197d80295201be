/** The pages of every kind of record: the list, a new record, one record, and the import of a CSV file. */
import { useParams } from 'react-router'
import type { ImportPath, RecordPath } from '../../../src/core/record-kinds.ts'
import { IMPORT_PATHS } from '../../../src/core/record-kinds.ts'
import { viewOf } from '../records/kinds.ts'
import { ImportPage } from '../records/import-page.tsx'
import { RecordListPage } from '../records/list-page.tsx'
import { NewRecordPage, RecordPage } from '../records/record-page.tsx'
import '../records/records.css'

interface RecordsProps {
  path: RecordPath
  page: 'list' | 'record'
}

export default function Records({ path, page }: RecordsProps) {
  const { id } = useParams()
  const view = viewOf(path)
  if (page === 'list') return <RecordListPage key={path} view={view} />
  if (id === 'new') return <NewRecordPage key={path} view={view} />
  if (id === 'import' && isImportPath(path)) return <ImportPage key={path} view={view} path={path} />
  return <RecordPage key={`${path} ${id}`} view={view} />
}

const isImportPath = (path: RecordPath): path is ImportPath =>
  (IMPORT_PATHS as readonly string[]).includes(path)
