/** The state of the profile form: the stored profile, the draft, and the result of saving. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { colorProblem } from '../../../src/core/accent-color.ts'
import type { CompanyAnswer, CompanyChangeAnswer } from '../../../src/console/company.ts'
import { CallError, call, get, queryClient } from '../call.ts'
import { findKeptEdit, forgetEdit, keepEdit } from '../quote-edit/kept-edits.ts'
import type { LeaveGuard } from '../quote-edit/leave-guard.ts'
import { useSession } from '../session.ts'
import { changesOf, listDifferences, rebase, valuesOf } from './profile.ts'
import type { FieldName, Values } from './profile.ts'

const FORM = 'company profile'

interface KeptProfile {
  stored: CompanyAnswer
  draft: Values
}

const isVersionConflict = (error: unknown) =>
  error instanceof CallError && error.status === 409 && error.fields['version'] !== undefined

export function useProfile(loaded: CompanyAnswer) {
  const { user, company } = useSession()
  const owner = `${company.id} ${user.id}`
  const [kept] = useState(() => findKeptEdit(owner, FORM) as KeptProfile | undefined)
  const [stored, setStored] = useState(kept?.stored ?? loaded)
  const [draft, setDraft] = useState(kept?.draft ?? valuesOf(loaded))
  const [theirs, setTheirs] = useState<CompanyAnswer | null>(null)
  const base = valuesOf(stored)
  const changes = changesOf(base, draft)
  const isDirty = Object.keys(changes).length > 0

  const saving = useMutation({
    mutationFn: () =>
      call<CompanyChangeAnswer>('PUT', 'settings/company', { version: stored.version, changes }),
    onSuccess: async (answer) => {
      const next = { ...stored, ...answer }
      goOn(next, valuesOf(next))
      queryClient.setQueryData(['company'], next)
      // The header shows the name.
      await queryClient.refetchQueries({ queryKey: ['session'] })
    },
    onError: async (error) => {
      if (isVersionConflict(error)) setTheirs(await get<CompanyAnswer>('company'))
      else setTimeout(() => document.querySelector<HTMLElement>('#main [aria-invalid="true"]')?.focus(), 0)
    },
  })
  const goOn = (from: CompanyAnswer, next: Values) => {
    setStored(from)
    setDraft(next)
    setTheirs(null)
  }
  const versions = theirs === null ? null : { base, mine: draft, theirs: valuesOf(theirs) }
  return {
    owner,
    stored,
    draft,
    isDirty,
    isSaving: saving.isPending,
    set: <Name extends FieldName>(name: Name, value: Values[Name]) =>
      setDraft((before) => ({ ...before, [name]: value })),
    save: (onSaved: () => void) => {
      if (!saving.isPending && isDirty) saving.mutate(undefined, { onSuccess: onSaved })
    },
    discard: () => {
      saving.reset()
      setDraft(base)
    },
    ...messagesOf(saving.error, draft),
    theirs,
    differences: versions === null ? null : listDifferences(versions),
    applyMine: () => {
      if (theirs === null || versions === null) return
      saving.reset()
      goOn(theirs, rebase(versions))
    },
    useTheirs: () => {
      if (theirs === null) return
      saving.reset()
      goOn(theirs, valuesOf(theirs))
    },
    closeConflict: () => setTheirs(null),
  }
}

export type ProfileState = ReturnType<typeof useProfile>

/** By field, and an error that belongs to none. */
function messagesOf(error: Error | null, draft: Values) {
  const fields = error instanceof CallError ? error.fields : {}
  const errors: Partial<Record<string, string>> = {}
  for (const [field, message] of Object.entries(fields))
    errors[field.replace('changes.', '').replace(/\.\d+$/, '')] = message
  // A color is checked as it is chosen.
  const { accentColor } = draft
  const problem = accentColor === null || accentColor === '' ? null : colorProblem(accentColor)
  if (problem === null) delete errors['accentColor']
  else errors['accentColor'] = problem
  const isOfField = Object.keys(fields).length > 0
  return { errors, failure: error === null || isOfField ? null : error }
}

/** Keeps unsaved edits when the session ends, so that the user finds them after signing in. */
export function useKeptProfile({ owner, stored, draft, isDirty }: ProfileState, guard: LeaveGuard): void {
  const latest = useRef({ stored, draft, isDirty, guard })
  useEffect(() => {
    latest.current = { stored, draft, isDirty, guard }
  })
  useEffect(
    () => () => {
      const { guard: last, isDirty: wasDirty, ...edit } = latest.current
      if (wasDirty && !last.isReleased()) keepEdit(owner, FORM, edit)
      else forgetEdit(owner, FORM)
    },
    [owner],
  )
}
