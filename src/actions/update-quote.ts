/** Changes the members of a quote, except its days and lines. */
import { z } from 'zod'
import { USERS_AND_KEYS } from '../core/callers.ts'
import { updateRow } from '../codec/write.ts'
import { isoOrNull } from '../codec/schemas.ts'
import { QUOTE_COLUMNS } from '../records/quote/columns.ts'
import { defineAction } from './action.ts'
import { changeQuote } from './change-quote.ts'
import { QuoteChangesInput } from './quote-input.ts'
import { checkReferences } from './references.ts'
import { changedMembers, isSameSet } from './subjects.ts'

export const updateQuote = defineAction({
  name: 'updateQuote',
  allowed: USERS_AND_KEYS,
  input: QuoteChangesInput.extend({ id: z.string() }),
  lock: 'first',
  run: async (transaction, { id, ...input }) => {
    const { db, companyId } = transaction
    return changeQuote(
      transaction,
      { id },
      {
        action: 'update',
        type: 'quote.updated',
        check: async (row) =>
          checkReferences(transaction, input, { stored: row.toObject(), currency: row.get('currency') }),
        apply: async (_, row) => {
          const stored = { ...row.toObject(), expiresAt: isoOrNull(row.get('expiresAt')) }
          const { serviceChargeIds: sent, ...members } = input
          const isSame = sent === undefined || isSameSet(sent, stored.serviceChargeIds)
          const changes = changedMembers(stored, isSame ? members : input)
          if (changes === null) return false
          await updateRow(db, QUOTE_COLUMNS, companyId, id, changes)
          return true
        },
      },
    )
  },
})
