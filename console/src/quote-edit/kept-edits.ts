/** Unsaved edits from before the session ended. They are kept in this tab until the user signs in again. */
import { useEffect, useSyncExternalStore } from 'react'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import type { Draft } from './draft.ts'
import type { Definition } from './new-definition.tsx'

export interface KeptEdit {
  /** The stored quote that the edits are based on. */
  stored: QuoteEditAnswer
  draft: Draft
  made: Definition[]
}

const kept = new Map<string, KeptEdit>()

/** Edits are kept, and no user has signed in since. */
let isWaiting = false
const listeners = new Set<() => void>()

function setIsWaiting(next: boolean): void {
  isWaiting = next
  for (const listener of listeners) listener()
}

/** `owner` is the user who typed it. No other user may see it. */
export function keepEdit(owner: string, quoteId: string, edit: KeptEdit): void {
  kept.set(`${owner} ${quoteId}`, edit)
  setIsWaiting(true)
}

export function findKeptEdit(owner: string, quoteId: string): KeptEdit | undefined {
  return kept.get(`${owner} ${quoteId}`)
}

export function forgetEdit(owner: string, quoteId: string): void {
  kept.delete(`${owner} ${quoteId}`)
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
