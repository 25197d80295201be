/** What somebody was typing when the page was taken away from them: their session ended. It waits for them, in this tab. */
import type { QuoteEditAnswer } from '../../../src/http/console/quote-edit.ts'
import type { Draft } from './draft.ts'
import type { Definition } from './new-definition.tsx'

export interface KeptEdit {
  /** What it was made from. */
  stored: QuoteEditAnswer
  draft: Draft
  made: Definition[]
}

const kept = new Map<string, KeptEdit>()

/** `owner` is who typed it: nobody else may see it. */
export function keepEdit(owner: string, quoteId: string, edit: KeptEdit): void {
  kept.set(`${owner} ${quoteId}`, edit)
}

export function findKeptEdit(owner: string, quoteId: string): KeptEdit | undefined {
  return kept.get(`${owner} ${quoteId}`)
}

export function forgetEdit(owner: string, quoteId: string): void {
  kept.delete(`${owner} ${quoteId}`)
}
