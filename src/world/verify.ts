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

const nameOf = ({ companyId, quoteId, revision }: Omit<NamedRevision, 'content'>) =>
  `company ${JSON.stringify(companyId)}, quote ${JSON.stringify(quoteId)}, revision ${revision}`

function findProblem(named: NamedRevision): string | null {
  const { quoteId, revision, content, sha256 } = named
  if (hashRevision(content) !== sha256) return `${nameOf(named)}: the content does not match its hash`
  const read = readRevision(content)
  if (read === null) return `${nameOf(named)}: the content cannot be read`
  const isOwn = read.quoteId === quoteId && read.revision === revision
  return isOwn ? null : `${nameOf(named)}: the content is that of another quote or revision`
}

function findOtherHash(named: Omit<NamedRevision, 'content'>, acceptedHashes: readonly string[]) {
  const isSame = acceptedHashes.every((hash) => hash === named.sha256)
  return isSame ? null : `${nameOf(named)}: another content was accepted`
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
          const named = { companyId, ...revision }
          const problem = findProblem(named) ?? findOtherHash(named, revision.acceptedHashes)
          if (problem !== null) result.findings.push(problem)
        }
      }
      return result
    } finally {
      await rollback(client)
    }
  })
}

interface CheckedRevision extends Omit<NamedRevision, 'content'> {
  problem: string | null
}

type Line = Partial<Record<string, unknown>>

/** An export, in any order of its lines. */
export async function verifyFile(input: AsyncIterable<Buffer | string>): Promise<Verification> {
  const revisions = new Map<string, CheckedRevision>()
  /** The hashes of the acceptances of each revision. */
  const accepted = new Map<string, string[]>()
  const unreadable: string[] = []
  const lines = splitLines({
    onLine: (number, text) => {
      // Most lines are other records, which need not be parsed.
      if (!/"(?:quoteRevision|acceptance)"/.test(text)) return
      const line = parseLine(text)
      if (line === null) unreadable.push(`line ${number}: is not a JSON object`)
      else if (line['object'] === 'acceptance') {
        const key = keyOf(line, 'quoteRevisionId')
        accepted.set(key, [...(accepted.get(key) ?? []), ...hashesOf(line)])
      } else if (line['object'] === 'quoteRevision') revisions.set(keyOf(line, 'id'), checkRevision(line))
    },
    onUnreadable: (number, reason) => void unreadable.push(`line ${number}: ${reason}`),
  })
  for await (const chunk of input) lines.add(toBytes(chunk))
  lines.end()
  const problems = [...accepted].flatMap(([key, hashes]) => {
    const checked = revisions.get(key)
    if (checked === undefined) return `the accepted revision ${key} is missing`
    return checked.problem ?? findOtherHash(checked, hashes) ?? []
  })
  return { count: accepted.size, findings: [...unreadable, ...problems] }
}

const keyOf = (line: Line, member: string) => JSON.stringify([line['companyId'], line[member]])

/** Imported acceptances can lack the hash. */
const hashesOf = ({ sha256 }: Line) => (typeof sha256 === 'string' ? [sha256] : [])

/** Without the content: an export can have more than fits into memory. */
function checkRevision(line: Line): CheckedRevision {
  const { content, ...named } = revisionOf(line)
  return { ...named, problem: findProblem({ content, ...named }) }
}

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
