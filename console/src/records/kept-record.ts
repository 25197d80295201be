/** Keeps the typed values of a record when the session ends, so that the user finds them after signing in. */
import { useEffect, useRef } from 'react'
import type { RecordAnswer } from '../../../src/console/records.ts'
import { findKeptEdit, forgetEdit, keepEdit } from '../quote-edit/kept-edits.ts'
import type { LeaveGuard } from '../quote-edit/leave-guard.ts'
import { useSession } from '../session.ts'
import type { FormValues } from './values.ts'

interface KeptRecord {
  /** The record as it was when editing began. Null for a new one. */
  base: RecordAnswer | null
  values: FormValues
}

/** `id` is null for a new record. */
export function useKeptRecord(path: string, id: string | null) {
  const { user, company } = useSession()
  const owner = `${company.id} ${user.id}`
  const form = `${path} ${id ?? 'new'}`
  return { owner, form, find: () => findKeptEdit(owner, form) as KeptRecord | undefined }
}

interface Edit extends KeptRecord {
  isDirty: boolean
  guard: LeaveGuard
}

export function useKeepRecord({ owner, form }: { owner: string; form: string }, edit: Edit): void {
  const latest = useRef(edit)
  useEffect(() => {
    latest.current = edit
  })
  useEffect(
    () => () => {
      const { base, values, isDirty, guard } = latest.current
      if (isDirty && !guard.isReleased()) keepEdit(owner, form, { base, values })
      else forgetEdit(owner, form)
    },
    [owner, form],
  )
}
