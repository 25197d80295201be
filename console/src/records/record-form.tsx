/** The form of a record: a new one, or changes to one. Typed input stays until it is saved or discarded. */
import { Alert, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RecordAnswer, RecordChangeAnswer, StoredRecord } from '../../../src/console/records.ts'
import { CallError, call, queryClient } from '../call.ts'
import { useKeepEdit, useKeptEdit } from '../quote-edit/kept-edits.ts'
import { useLeaveGuard } from '../quote-edit/leave-guard.ts'
import { useSession } from '../session.ts'
import { Form, FormButtons, useFocusOnError } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'
import { LeaveDialog } from '../ui/unsaved.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { Conflict } from './conflict-dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { keptName } from './kept-record.ts'
import type { KeptRecord } from './kept-record.ts'
import type { KindView } from './kind-view.ts'
import { fetchRecord, refreshRecords } from './queries.ts'
import { SameEmailNote } from './same-email-note.tsx'
import { chosenNames, currencyOf, formValuesOf, isSame, newFormValues, readForm } from './values.ts'
import type { FormErrors, FormValues, Values } from './values.ts'

interface RecordFormProps {
  view: KindView
  /** Null for a new record. */
  base: RecordAnswer | null
  onSaved: (answer: RecordChangeAnswer) => void
  onCancel: () => void
}

interface Save {
  base: StoredRecord | null
  values: Values
}

export function RecordForm({ view, base, onSaved, onCancel }: RecordFormProps) {
  const { currency } = useSession().company
  const [initial] = useState<FormValues>(() =>
    base === null ? newFormValues(view, currency) : formValuesOf(view.fields, base.record, currency),
  )
  const keptAs = keptName(view.path, base?.record.id)
  const kept = useKeptEdit(keptAs) as KeptRecord | undefined
  const [values, setValues] = useState(kept?.values ?? initial)
  const [typedErrors, setTypedErrors] = useState<FormErrors>({})
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const isDirty = !isSame(values, initial)
  const guard = useLeaveGuard(isDirty)
  useKeepEdit(keptAs, { base, values } satisfies KeptRecord, isDirty, guard)
  const save = useSave(view, currency, async (answer) => {
    guard.release()
    await refreshRecords()
    notifications.show({ message: savedMessage(view, base, answer) })
    onSaved(answer)
  })
  const theirs = useMutation({
    mutationFn: ({ base: { id } }: Omit<Conflict, 'theirs'>) => fetchRecord(view.path, id),
    onSuccess: ({ record }, mine) => setConflict({ ...mine, theirs: record }),
  })
  const isBusy = save.isPending || theirs.isPending
  const rememberFocus = useReturnFocus(isBusy)
  const errors = { ...serverErrors(save.error), ...typedErrors }
  const form = useFocusOnError(Object.keys(errors).join(' ') || null)
  // The page of a new record has nothing else to read.
  useEffect(() => {
    if (base === null) form.current?.querySelector<HTMLElement>('input, textarea')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const submit = () => {
    const read = readForm(view.fields, values, currency)
    setTypedErrors(read.errors)
    if (isBusy || Object.keys(read.errors).length > 0) return
    rememberFocus()
    const record = base?.record ?? null
    const sent = record === null ? presentOnly(read.values) : changesOf(record, read.values)
    const mine = record === null ? null : { base: record, mine: read.values, names: chosenNames(values) }
    send({ base: record, values: sent }, mine)
  }
  const send = (sent: Save, mine: Omit<Conflict, 'theirs'> | null) => {
    theirs.reset()
    save.mutate(sent, {
      onError: (error) => mine !== null && isConflict(error) && theirs.mutate(mine),
    })
  }
  return (
    <Form ref={form} onSubmit={submit} className="app-panel record-form">
      <Stack gap="md">
        {base?.isUsed === true ? <UsedNote view={view} /> : null}
        <Fields
          view={view}
          values={values}
          errors={errors}
          record={base?.record ?? null}
          isDisabled={isBusy}
          onChange={(changed) => {
            setValues((now) => ({ ...now, ...changed }))
            setTypedErrors({})
          }}
        />
        {Object.keys(errors).length > 0 || isBusy || conflict !== null ? null : (
          <ErrorAlert error={theirs.error ?? save.error} />
        )}
        <FormButtons
          action={base === null ? `Create ${view.noun}` : `Save ${view.noun}`}
          onCancel={() => guard.ask(onCancel)}
          isBusy={isBusy}
        />
      </Stack>
      <ConflictDialog
        view={view}
        conflict={conflict}
        currency={currency}
        onClose={() => setConflict(null)}
        isBusy={isBusy}
        error={theirs.error ?? (isConflict(save.error) ? null : save.error)}
        onSave={(chosen) => conflict !== null && send({ base: conflict.theirs, values: chosen }, conflict)}
      />
      <LeaveDialog guard={guard} record={`this ${view.noun}`} />
    </Form>
  )
}

function useSave(view: KindView, currency: string, onSuccess: (answer: RecordChangeAnswer) => Promise<void>) {
  return useMutation({
    mutationFn: ({ base, values }: Save) =>
      base === null
        ? call<RecordChangeAnswer>('POST', view.path, { values, ...currencyOf(view, values, currency) })
        : call<RecordChangeAnswer>('PATCH', `${view.path}/${encodeURIComponent(base.id)}`, {
            updatedAt: base.updatedAt,
            values,
            ...currencyOf(view, values, currency),
          }),
    onSuccess,
    // The company may have another currency now.
    onError: (error) => {
      if (error instanceof CallError && error.status === 409)
        void queryClient.refetchQueries({ queryKey: ['session'] })
    },
  })
}

/** Disabled fields and buttons lose the focus. It returns when the form can be changed again. */
function useReturnFocus(isBusy: boolean): () => void {
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    if (isBusy) return
    const { current } = focused
    focused.current = null
    if (document.activeElement === document.body && current instanceof HTMLElement) current.focus()
  }, [isBusy])
  return () => (focused.current = document.activeElement)
}

/** Null is the same as absent in a new record. */
const presentOnly = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const changesOf = (record: StoredRecord, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, record[name])))

const isConflict = (error: Error | null) =>
  error instanceof CallError && error.code === 'conflict' && 'updatedAt' in error.fields

function savedMessage(view: KindView, base: RecordAnswer | null, { replacedId }: RecordChangeAnswer): string {
  if (base === null) return `Created the ${view.noun}.`
  if (replacedId === null) return `Saved the ${view.noun}.`
  return `Saved the new values as a new record. The old one is archived and stays on its quotes.`
}

/** The server names fields as `values.prices.0.currency`. */
function serverErrors(error: Error | null): FormErrors {
  if (!(error instanceof CallError)) return {}
  return Object.fromEntries(
    Object.entries(error.fields)
      .filter(([place]) => place.startsWith('values.'))
      .map(([place, message]) => [place.split('.').slice(1, 3).join('.'), sentence(message)]),
  )
}

/** The server begins with the verb. */
const sentence = (message: string) =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`

function UsedNote({ view }: { view: KindView }) {
  return (
    <Alert color="blue" title="In use">
      Quotes use the values of this {view.noun}. If you change more than the name, they are saved as a new
      one, and this one is archived. Existing quotes keep the old values.
    </Alert>
  )
}

interface FieldsProps {
  view: KindView
  values: FormValues
  errors: FormErrors
  record: StoredRecord | null
  /** During a save: it would not contain what is typed now. */
  isDisabled: boolean
  onChange: (changed: FormValues) => void
}

function Fields({ view, values, errors, record, isDisabled, onChange }: FieldsProps) {
  const { currency } = useSession().company
  return (
    <fieldset className="record-fields" disabled={isDisabled}>
      {view.fields
        .filter(({ showIf }) => showIf?.(values) ?? true)
        .map((field) => (
          <div key={field.name} data-half={field.isHalf}>
            <FieldInput
              field={field}
              values={values}
              errors={errors}
              onChange={(value, others) => onChange({ [field.name]: value, ...others })}
              companyCurrency={currency}
            />
            {view.path === 'contacts' && field.name === 'email' ? (
              <SameEmailNote email={(values['email'] ?? '') as string} exceptId={record?.id ?? null} />
            ) : null}
          </div>
        ))}
    </fieldset>
  )
}
