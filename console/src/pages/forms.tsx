/** The forms of the company. */
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { FormsAnswer, ListedForm } from '../../../src/console/forms.ts'
import { formatDate } from '../format.ts'
import { FormStatus } from '../forms/form-status.tsx'
import '../forms/forms.css'
import { NewForm } from '../forms/new-form.tsx'
import { PURPOSE_WORDS } from '../forms/words.ts'
import { Bone, Loading, TextBone, countTo } from '../loading.tsx'
import { PlusIcon, RowArrow } from '../ui/icons.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState, ErrorAlert } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function Forms() {
  const [isAdding, setAdding] = useState(false)
  const query = useGet<FormsAnswer>(['forms', 'list'], 'forms')
  const add = (
    <Button leftSection={<PlusIcon />} onClick={() => setAdding(true)}>
      New form
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Forms"
        subtitle="What visitors and customers fill in."
        actions={query.data?.forms.length === 0 ? undefined : add}
      />
      <Loaded query={query} skeleton={<FormsBones />}>
        {(data) => (
          <Stack gap="md">
            <ErrorAlert error={query.error} />
            <div className="app-panel">
              {data.forms.length === 0 ? (
                <EmptyState title="No forms yet" action={add}>
                  Put a quote form on your website. Each submission becomes a contact and a draft quote.
                </EmptyState>
              ) : (
                <ul className="app-list">
                  {data.forms.map((form) => (
                    <Row key={form.id} form={form} />
                  ))}
                </ul>
              )}
            </div>
          </Stack>
        )}
      </Loaded>
      <NewForm isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  )
}

function Row({ form }: { form: ListedForm }) {
  const { id, name, purpose, publishedAt, archivedAt, lastResponseAt } = form
  return (
    <li className="app-row form-row">
      <span className="form-row-name">
        <Link className="app-row-name" to={`/forms/${encodeURIComponent(id)}`}>
          {name}
        </Link>
        <Note span>
          {PURPOSE_WORDS[purpose]}
          {lastResponseAt === null ? '' : ` · last response ${formatDate(lastResponseAt)}`}
        </Note>
      </span>
      <FormStatus isPublished={publishedAt !== null} isArchived={archivedAt !== null} />
      <RowArrow />
    </li>
  )
}

function FormsBones() {
  return (
    <Loading label="Loading the forms">
      <div className="app-panel">
        {countTo(3).map((i) => (
          <div key={i} className="form-row">
            <div className="form-row-name">
              <TextBone width={180} />
              <TextBone width={140} />
            </div>
            <Bone width={90} height={24} radius="xl" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
