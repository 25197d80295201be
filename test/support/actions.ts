/** Runs actions in tests. */
import type { Pool } from 'pg'
import type { ActionContext } from '../../src/actions/action.ts'
import type { Caller } from '../../src/core/callers.ts'
import { listChanges } from '../../src/records/change/list.ts'

export const USER = { type: 'user', id: 'user_1', name: 'Ada Lindqvist' } as const

export function contextOf(pool: Pool, companyId = 'co_1', caller: Caller = 'ADMIN'): ActionContext {
  const presentation = {
    now: new Date().toISOString(),
    invoiceUrl: (company: string, id: string) => `https://quotes.example/${company}/${id}`,
    quoteUrl: () => 'https://quotes.example/q/token',
  }
  return { pool, companyId, actor: USER, caller, presentation }
}

export interface ReadChange {
  sequence: number
  type: string
  subject: string
  data: Record<string, unknown>
  previous: Record<string, unknown>
}

/** All changes of a company, oldest first. */
export async function readChanges(pool: Pool, companyId = 'co_1', after = 0n): Promise<ReadChange[]> {
  const filters = {
    types: [],
    subject: undefined,
    actor: undefined,
    createdAt: null,
    order: 'asc',
  } as const
  const { rows } = await listChanges(pool, companyId, filters, { limit: 100, after })
  return rows.map((row) => ({
    sequence: Number(row.sequence),
    type: row.type,
    subject: `${row.subjectObject} ${row.subjectId}`,
    data: JSON.parse(row.data) as Record<string, unknown>,
    previous: JSON.parse(row.previous) as Record<string, unknown>,
  }))
}
