/** Unsaved edits from before the session ended. They are kept in this tab until the user signs in again. */
import { useEffect, useSyncExternalStore } from 'react'

const kept = new Map<string, unknown>()

/** Edits are kept, and no user has signed in since. */
let isWaiting = false
const listeners = new Set<() => void>()

function setIsWaiting(next: boolean): void {
  isWaiting = next
  for (const listener of listeners) listener()
}

/** `owner` is the user who typed it. No other user may see it. `form` names the form, such as a quote by its id. */
export function keepEdit(owner: string, form: string, edit: unknown): void {
  kept.set(`${owner} ${form}`, edit)
  setIsWaiting(true)
}

/** Undefined if nothing was kept. */
export function findKeptEdit(owner: string, form: string): unknown {
  return kept.get(`${owner} ${form}`)
}

export function forgetEdit(owner: string, form: string): void {
  kept.delete(`${owner} ${form}`)
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
