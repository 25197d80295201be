/** The state of the profile form: the stored profile, the draft, and the result of saving. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { colorProblem } from '../../../src/core/accent-color.ts'
import type { CompanyAnswer, CompanyChangeAnswer } from '../../../src/console/company.ts'
import { call, get, queryClient, isVersionConflict, errorsOf } from '../call.ts'
import { useKeepEdit, useKeptEdit } from '../quote-edit/kept-edits.ts'
import type { LeaveGuard } from '../quote-edit/leave-guard.ts'
import { focusFirstError } from '../ui/form.tsx'
import { changesOf, listDifferences, rebase, valuesOf } from './profile.ts'
import type { FieldName, Values } from './profile.ts'

const FORM = 'company profile'

interface KeptProfile {
  stored: CompanyAnswer
  draft: Values
}

export function useProfile(loaded: CompanyAnswer) {
  const kept = useKeptEdit(FORM) as KeptProfile | undefined
  const [stored, setStored] = useState(kept?.stored ?? loaded)
  const [draft, setDraft] = useState(kept?.draft ?? valuesOf(loaded))
  const [theirs, setTheirs] = useState<CompanyAnswer | null>(null)
  const base = valuesOf(stored)
  const changes = changesOf(base, draft)
  const isDirty = Object.keys(changes).length > 0

  const saving = useMutation({
    mutationFn: async (_sent: Values) => {
      const saved = call<CompanyChangeAnswer>('PUT', 'settings/company', { version: stored.version, changes })
      // If their version cannot be read, that is the error to show.
      return saved.catch(async (error: unknown) => {
        if (isVersionConflict(error)) setTheirs(await get<CompanyAnswer>('company'))
        throw error
      })
    },
    onSuccess: async (answer, sent) => {
      const next = { ...stored, ...answer }
      setStored(next)
      // With what was typed since.
      setDraft((mine) => rebase({ base: sent, mine, theirs: valuesOf(next) }))
      queryClient.setQueryData(['company'], next)
      // The header shows the name.
      await queryClient.refetchQueries({ queryKey: ['session'] })
    },
    onError: (error) => {
      if (!isVersionConflict(error)) focusFirstError()
    },
  })
  const goOn = (from: CompanyAnswer, next: Values) => {
    setStored(from)
    setDraft(next)
    setTheirs(null)
  }
  const versions = theirs === null ? null : { base, mine: draft, theirs: valuesOf(theirs) }
  return {
    stored,
    draft,
    isDirty,
    isSaving: saving.isPending,
    set: <Name extends FieldName>(name: Name, value: Values[Name]) =>
      setDraft((before) => ({ ...before, [name]: value })),
    save: (onSaved: () => void) => {
      if (!saving.isPending && isDirty) saving.mutate(draft, { onSuccess: onSaved })
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
  const { fields, failure } = errorsOf(error)
  const errors: Partial<Record<string, string>> = {}
  for (const [field, message] of Object.entries(fields))
    errors[field.replace('changes.', '').replace(/\.\d+$/, '')] = message
  // A color is checked as it is chosen.
  const { accentColor } = draft
  const problem = accentColor === null || accentColor === '' ? null : colorProblem(accentColor)
  if (problem === null) delete errors['accentColor']
  else errors['accentColor'] = problem
  return { errors, failure }
}

export function useKeptProfile({ stored, draft, isDirty }: ProfileState, guard: LeaveGuard): void {
  useKeepEdit(FORM, { stored, draft } satisfies KeptProfile, isDirty, guard)
}
