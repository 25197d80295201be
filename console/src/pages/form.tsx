/** One form: its settings and questions with a preview, and its responses. */
import { Alert, Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useParams } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { FormAnswer } from '../../../src/console/forms.ts'
import { publishProblem } from '../../../src/core/forms/form-content.ts'
import { ONCE_PER_VISIT } from '../call.ts'
import { FormStatus } from '../forms/form-status.tsx'
import '../forms/forms.css'
import { Preview } from '../forms/preview.tsx'
import { QuestionList } from '../forms/question-list.tsx'
import { FormResponses } from '../forms/responses.tsx'
import { SettingsPanel } from '../forms/settings-panel.tsx'
import { useForm } from '../forms/use-form.ts'
import type { FormState } from '../forms/use-form.ts'
import { PURPOSE_WORDS } from '../forms/words.ts'
import { Loading, PanelBones } from '../loading.tsx'
import { useLeaveGuard } from '../quote-edit/leave-guard.ts'
import { BackLink } from '../ui/back-link.tsx'
import { useFocusOnTitle } from '../ui/focus-title.ts'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ErrorAlert, ErrorState } from '../ui/states.tsx'
import { LeaveDialog, SaveBar } from '../ui/unsaved.tsx'
import { useGet } from '../use-get.ts'

const Back = () => <BackLink to={CONSOLE_PAGES.forms}>Forms</BackLink>

export default function FormPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useGet<FormAnswer>(
    ['forms', 'form', id],
    `forms/${encodeURIComponent(id)}`,
    ONCE_PER_VISIT,
  )
  if (data !== undefined) return <Builder key={id} loaded={data} />
  return (
    <>
      <PageHeader title="Form" back={<Back />} />
      {error === null ? <FormBones /> : <ErrorState error={error} onRetry={refetch} />}
    </>
  )
}

function Builder({ loaded }: { loaded: FormAnswer }) {
  useFocusOnTitle()
  const form = useForm(loaded)
  const guard = useLeaveGuard(form.isDirty)
  const { stored, draft } = form
  const submit = () => form.save(() => notifications.show({ message: 'Saved the form.' }))
  return (
    <>
      <PageHeader
        title={stored.name}
        subtitle={PURPOSE_WORDS[stored.purpose]}
        mark={<FormStatus isPublished={stored.isPublished} isArchived={stored.isArchived} />}
        back={<Back />}
        actions={<Actions form={form} />}
      />
      <Stack gap="lg">
        <ErrorAlert error={form.changeError} />
        <PublishNote form={form} />
        <Form onSubmit={submit}>
          <div className="form-grid">
            <div className="form-column">
              <SettingsPanel form={form} />
              <QuestionList form={form} />
            </div>
            <Preview draft={draft} stored={stored} />
          </div>
          <SaveBar form={form} action="Save form" />
        </Form>
        <FormResponses id={stored.id} />
      </Stack>
      <LeaveDialog guard={guard} record="this form" />
    </>
  )
}

function Actions({ form: { stored, isChanging, change, isDirty } }: { form: FormState }) {
  if (stored.isArchived)
    return (
      <Button variant="default" loading={isChanging} onClick={() => change({ isArchived: false })}>
        Restore form
      </Button>
    )
  return (
    <>
      <Button variant="default" disabled={isChanging} onClick={() => change({ isArchived: true })}>
        Archive form
      </Button>
      {stored.isPublished ? (
        <Button variant="default" disabled={isChanging} onClick={() => change({ isPublished: false })}>
          Unpublish
        </Button>
      ) : (
        <Button
          disabled={isDirty || publishProblem(stored) !== null}
          loading={isChanging}
          onClick={() => change({ isPublished: true })}
        >
          Publish form
        </Button>
      )}
    </>
  )
}

/** Why it cannot be published yet. */
function PublishNote({ form: { stored, draft, isDirty } }: { form: FormState }) {
  if (stored.isPublished || stored.isArchived) return null
  const problem = publishProblem(draft)
  if (problem === null && !isDirty) return null
  return (
    <Alert color="blue" title="Not published yet">
      {problem ?? 'Save your changes, then publish the form.'}
    </Alert>
  )
}

function FormBones() {
  return (
    <Loading label="Loading the form">
      <div className="form-grid">
        <div className="form-column">
          <PanelBones lines={4} />
          <PanelBones lines={6} />
        </div>
        <PanelBones lines={8} />
      </div>
    </Loading>
  )
}
