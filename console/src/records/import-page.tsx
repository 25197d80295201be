/** Imports records from a CSV file: choose a file, map its columns, look at the result, import. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { ImportAnswer } from '../../../src/console/record-import.ts'
import type { ImportMapping } from '../../../src/core/import-columns.ts'
import { RECORD_PAGES } from '../../../src/core/record-kinds.ts'
import type { ImportPath } from '../../../src/core/record-kinds.ts'
import { call } from '../call.ts'
import { formatNumber } from '../format.ts'
import { useKeepInput, useKeptEdit } from '../quote-edit/kept-edits.ts'
import { BackLink } from '../ui/back-link.tsx'
import { FileChoice } from '../ui/file-choice.tsx'
import { Note } from '../ui/note.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import { ErrorAlert, LoadingState } from '../ui/states.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportResult } from './import-result.tsx'
import type { KindView } from './kind-view.ts'
import { refreshRecords } from './queries.ts'

const FILE_MAX_BYTES = 5 * 1024 * 1024

interface Chosen {
  name: string
  base64: string
}

interface Sent {
  file: Chosen
  mapping?: ImportMapping
  dryRun: boolean
}

export function ImportPage({ view, path }: { view: KindView; path: ImportPath }) {
  const { file, plan, choose, look, run, dryRun, importAll } = useImport(view, path)
  return (
    <>
      <PageHeader
        title={`Import ${view.plural}`}
        back={<BackLink to={RECORD_PAGES[path]}>{view.title}</BackLink>}
        subtitle="From a CSV file, such as a spreadsheet export."
      />
      <Stack gap="lg">
        <FilePanel file={file} isBusy={choose.isPending} onChoose={(next) => choose.mutate(next)} />
        <ErrorAlert error={choose.error} />
        {plan === null ? null : <ImportColumns path={path} plan={plan} onChange={dryRun} />}
        <ErrorAlert error={look.error} onRetry={plan === null ? undefined : () => dryRun(plan.mapping)} />
        {plan === null ? (
          look.isPending ? (
            <div className="app-panel record-import">
              <LoadingState lines={5} label="Reading the file" />
            </div>
          ) : null
        ) : (
          <>
            {look.isError ? null : (
              <div className={look.isPending ? 'is-old' : ''} aria-busy={look.isPending}>
                <ImportResult view={view} path={path} plan={plan} />
              </div>
            )}
            <ErrorAlert error={run.error} />
            <Group justify="flex-end">
              <Button component={Link} to={RECORD_PAGES[path]} variant="default">
                Cancel
              </Button>
              <Button disabled={importAll === null} loading={run.isPending} onClick={() => importAll?.()}>
                {`Import ${countOf(plan.rowCount, view)}`}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </>
  )
}

interface Input {
  file: Chosen | null
  /** The mapping that is shown, with the result of the last dry run that succeeded. */
  plan: ImportAnswer | null
}

function useImport(view: KindView, path: ImportPath) {
  const navigate = useNavigate()
  const form = `import ${path}`
  const kept = useKeptEdit(form) as Input | undefined
  const [file, setFile] = useState(kept?.file ?? null)
  const [plan, setPlan] = useState(kept?.plan ?? null)
  useKeepInput(form, { file, plan } satisfies Input, file !== null)
  const send = ({ file: { base64 }, ...rest }: Sent) =>
    call<ImportAnswer>('POST', `${path}/import`, { file: base64, ...rest })
  const look = useMutation({ mutationFn: send })
  const run = useMutation({
    mutationFn: send,
    onSuccess: async ({ importedCount }) => {
      await refreshRecords()
      notifications.show({ message: `Imported ${countOf(importedCount, view)}.` })
      void navigate(RECORD_PAGES[path])
    },
  })
  const start = (sent: Sent) => {
    run.reset()
    // Not for every call: the result of an earlier one would replace what the user chose meanwhile.
    look.mutate(sent, { onSuccess: setPlan })
  }
  useEffect(() => {
    // The session ended, and the records may have changed since.
    if (file !== null) start({ file, ...(plan !== null && { mapping: plan.mapping }), dryRun: true })
    // oxlint-disable-next-line react/exhaustive-deps -- only the input that was kept
  }, [])
  const choose = useMutation({
    mutationFn: readFile,
    onSuccess: (chosen) => {
      setFile(chosen)
      setPlan(null)
      start({ file: chosen, dryRun: true })
    },
  })
  const dryRun = (mapping: ImportMapping) => {
    if (file === null || plan === null) return
    setPlan({ ...plan, mapping })
    start({ file, mapping, dryRun: true })
  }
  // Only with the result of exactly this mapping.
  const canImport = plan !== null && look.isSuccess && plan.invalidRowCount === 0
  const importAll =
    file !== null && canImport ? () => run.mutate({ file, mapping: plan.mapping, dryRun: false }) : null
  return { file, plan, choose, look, run, dryRun, importAll }
}

const countOf = (count: number, { noun, plural }: KindView) =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`

interface FilePanelProps {
  file: Chosen | null
  isBusy: boolean
  onChoose: (file: File) => void
}

function FilePanel({ file, isBusy, onChoose }: FilePanelProps) {
  return (
    <Panel title="File" className="record-import" gap="sm" align="flex-start">
      <Note>The first row has the names of the columns. Up to 10,000 rows and 5 MiB.</Note>
      <Group gap="sm">
        <FileChoice onChoose={onChoose} accept=".csv,.tsv,.txt,text/csv">
          {(props) => (
            <Button {...props} variant={file === null ? 'filled' : 'default'} loading={isBusy}>
              {file === null ? 'Choose file' : 'Choose another file'}
            </Button>
          )}
        </FileChoice>
        {file === null ? null : (
          <Text size="sm" className="app-wrap">
            {file.name}
          </Text>
        )}
      </Group>
      {file === null ? (
        <Alert color="blue" w="100%">
          Nothing is stored yet when you choose a file. You see the result first, and import all rows or none.
        </Alert>
      ) : null}
    </Panel>
  )
}

async function readFile(file: File): Promise<Chosen> {
  if (file.size > FILE_MAX_BYTES) throw new Error('Choose a file of at most 5 MiB.')
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The file cannot be read. Choose it again.')))
    reader.readAsDataURL(file)
  })
  return { name: file.name, base64: url.slice(url.indexOf(',') + 1) }
}
