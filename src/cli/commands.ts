/** The commands other than `serve`. Each gets a migrated database. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../core/security/api-key.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../records/api-key/queries.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { checkDerived, repairDerived } from '../world/derived.ts'
import { diagnose } from '../world/doctor.ts'
import { exportWorld } from '../world/export.ts'
import { importWorld } from '../world/import.ts'
import { print, printError, printRow } from './print.ts'

/** Thrown after the findings were printed, to set the exit status. */
export class FindingsError extends Error {}

export async function importFile(connection: Connection, file: string): Promise<void> {
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: '{bar} {percentage}% | {lines} lines', etaBuffer: 100 })
    : null
  const size = file === '-' ? 0 : (await stat(file)).size
  bar?.start(size, 0, { lines: 0 })
  const input = file === '-' ? process.stdin : createReadStream(file)
  const result = await importWorld(connection, input, {
    onProgress: ({ lines, bytes }) => bar?.update(Math.min(bytes, size), { lines }),
  }).finally(() => bar?.stop())
  if (result.errorCount === 0) {
    print(`Imported ${result.records} records.`)
    return
  }
  for (const { line, field, reason } of result.errors) {
    printError(`line ${line}: ${field === null ? '' : `${field}: `}${reason}`)
  }
  printError(`${result.errorCount} error(s) in all; nothing was imported.`)
  throw new FindingsError()
}

export async function exportAll(connection: Connection): Promise<void> {
  await exportWorld(connection, process.stdout)
}

export async function doctor(connection: Connection, { repair }: { repair: boolean }): Promise<void> {
  if (repair) print(`Repaired ${await repairDerived(connection)} deviation(s) of derived data.`)
  const references = await diagnose(connection, (finding) => printError(finding))
  const deviations = await checkDerived(connection, (finding) => printError(finding))
  if (deviations > 0) printError('"quoting doctor --repair" corrects derived data.')
  if (references + deviations > 0) throw new FindingsError()
  print('Every reference resolves, and derived data is correct.')
}

export async function createKey(connection: Connection, companyId: string, name: string): Promise<void> {
  if (name === '') throw new Error('the name of a key must not be empty')
  const key = generateApiKey()
  const id = await withDb(connection, (client) =>
    createApiKey(client, companyId, { name, keyHash: hashApiKey(key), prefix: apiKeyPrefix(key) }),
  )
  if (id === null) throw unknownCompany(companyId)
  // Shown once; only the hash is stored.
  print(key)
}

export async function listKeys(connection: Connection, companyId: string): Promise<void> {
  const keys = await withDb(connection, (client) => listApiKeys(client, companyId))
  if (keys === null) throw unknownCompany(companyId)
  for (const { id, name, createdAt, revokedAt } of keys) {
    printRow([id, createdAt, revokedAt === null ? 'active' : `revoked ${revokedAt}`, name])
  }
}

export async function revokeKey(connection: Connection, companyId: string, keyId: string): Promise<void> {
  if (!(await withDb(connection, (client) => revokeApiKey(client, companyId, keyId)))) {
    throw new Error(
      `company ${companyId} has no key ${keyId}; "quoting keys list --company ${companyId}" shows them`,
    )
  }
  print(`Revoked ${keyId}.`)
}

function unknownCompany(companyId: string): Error {
  return new Error(`there is no company ${companyId}`)
}
