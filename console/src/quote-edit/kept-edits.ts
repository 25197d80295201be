/** Unsaved edits from before the session ended. They are kept in this tab until the user signs in again. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Session } from '../../../src/console/sign-in.ts'
import { queryClient } from '../call.ts'
import { useSession } from '../session.ts'
import type { LeaveGuard } from './leave-guard.ts'

const kept = new Map<string, unknown>()

/** Edits are kept, and no user has signed in since. */
let isWaiting = false
const listeners = new Set<() => void>()

function setIsWaiting(next: boolean): void {
  isWaiting = next
  for (const listener of listeners) listener()
}

/** `form` names the form, such as a quote by its id. No other user may see what this one typed. */
function useKeyOf(form: string): string {
  const { company, user } = useSession()
  return `${company.id} ${user.id} ${form}`
}

/** The edit of this form that was kept. Undefined without one. */
export function useKeptEdit(form: string): unknown {
  const key = useKeyOf(form)
  const [edit] = useState(() => kept.get(key))
  return edit
}

/** Keeps unsaved edits when the session ends, so that the user finds them after signing in. */
export function useKeepEdit(
  form: string,
  edit: object,
  isDirty: boolean,
  guard: Pick<LeaveGuard, 'isReleased'>,
): void {
  const key = useKeyOf(form)
  const latest = useRef({ edit, isDirty, guard })
  useEffect(() => {
    latest.current = { edit, isDirty, guard }
  })
  useEffect(
    () => () => {
      const { current: last } = latest
      if (last.isDirty && !last.guard.isReleased()) {
        kept.set(key, last.edit)
        setIsWaiting(true)
      } else kept.delete(key)
    },
    [key],
  )
}

const isSignedIn = () => queryClient.getQueryData<{ session: Session | null }>(['session'])?.session != null

/** The same for input that may be lost without a question when the user leaves the page. */
export function useKeepInput(form: string, input: object, isDirty: boolean): void {
  useKeepEdit(form, input, isDirty, { isReleased: isSignedIn })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether unsaved edits wait for sign-in. The page says so, and asks before the tab is closed. */
export function useKeptNotice(): boolean {
  const isKept = useSyncExternalStore(subscribe, () => isWaiting)
  useEffect(() => {
    if (!isKept) return undefined
    const listening = new AbortController()
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: listening.signal })
    return () => listening.abort()
  }, [isKept])
  return isKept
}

export function endKeptNotice(): void {
  setIsWaiting(false)
}
