/** What somebody was typing when the page was taken away from them: their session ended. It waits for them, in this tab. */
import { useEffect, useSyncExternalStore } from 'react'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import type { Draft } from './draft.ts'
import type { Definition } from './new-definition.tsx'

export interface KeptEdit {
  /** What it was made from. */
  stored: QuoteEditAnswer
  draft: Draft
  made: Definition[]
}

const kept = new Map<string, KeptEdit>()

/** Something is kept since the session ended, and nobody has signed in since. */
let isWaiting = false
const listeners = new Set<() => void>()

function setIsWaiting(next: boolean): void {
  isWaiting = next
  for (const listener of listeners) listener()
}

/** `owner` is who typed it: nobody else may see it. */
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

/** Whether what somebody typed waits until they sign in: they are told, and asked before the tab is closed. */
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
