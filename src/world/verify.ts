/** Checks that accepted revisions still match their hash, in the database or in an export. */
import { readRevision } from '../core/quotes/revision.ts'
import { hashRevision } from '../core/quotes/revision-hash.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { beginSnapshot, rollback } from '../db/world-transaction.ts'
import { listCompanyIds } from '../records/company/queries.ts'
import { listAcceptedRevisions } from '../records/quote-revision/accepted.ts'
import { splitLines, toBytes } from './import-lines.ts'

export interface Verification {
  /** How many accepted revisions were checked. */
  count: number
  /** One line for each that does not match. */
  findings: string[]
}

interface NamedRevision {
  companyId: string
  quoteId: string
  revision: number
  content: string
  sha256: string
}

function findProblem({ companyId, quoteId, revision, content, sha256 }: NamedRevision): string | null {
  const name = `company ${JSON.stringify(companyId)}, quote ${JSON.stringify(quoteId)}, revision ${revision}`
  if (hashRevision(content) !== sha256) return `${name}: the content does not match its hash`
  return readRevision(content) === null ? `${name}: the content cannot be read` : null
}

/** In one snapshot. */
export async function verifyDatabase(connection: Connection): Promise<Verification> {
  return withDb(connection, async (client) => {
    await beginSnapshot(client)
    try {
      const result: Verification = { count: 0, findings: [] }
      for (const companyId of await listCompanyIds(client)) {
        for await (const revision of listAcceptedRevisions(client, companyId)) {
          result.count++
          const problem = findProblem({ companyId, ...revision })
          if (problem !== null) result.findings.push(problem)
        }
      }
      return result
    } finally {
      await rollback(client)
    }
  })
}

type Line = Partial<Record<string, unknown>>

/** An export, in any order of its lines. */
export async function verifyFile(input: AsyncIterable<Buffer | string>): Promise<Verification> {
  /** The problem of each revision, or null. */
  const revisions = new Map<string, string | null>()
  const accepted = new Set<string>()
  const unreadable: string[] = []
  const lines = splitLines({
    onLine: (number, text) => {
      // Most lines are other records, which need not be parsed.
      if (!/"(?:quoteRevision|acceptance)"/.test(text)) return
      const line = parseLine(text)
      if (line === null) unreadable.push(`line ${number}: is not a JSON object`)
      else if (line['object'] === 'acceptance') accepted.add(keyOf(line, 'quoteRevisionId'))
      else if (line['object'] === 'quoteRevision')
        revisions.set(keyOf(line, 'id'), findProblem(revisionOf(line)))
    },
    onUnreadable: (number, reason) => void unreadable.push(`line ${number}: ${reason}`),
  })
  for await (const chunk of input) lines.add(toBytes(chunk))
  lines.end()
  const problems = [...accepted].flatMap((key) => {
    const problem = revisions.get(key)
    return problem === undefined ? `the accepted revision ${key} is missing` : (problem ?? [])
  })
  return { count: accepted.size, findings: [...unreadable, ...problems] }
}

const keyOf = (line: Line, member: string) => JSON.stringify([line['companyId'], line[member]])

function revisionOf(line: Line): NamedRevision {
  return {
    companyId: String(line['companyId']),
    quoteId: String(line['quoteId']),
    revision: Number(line['revision']),
    content: String(line['content']),
    sha256: String(line['sha256']),
  }
}

function parseLine(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
