import type { Command } from 'commander'
import { NewApiKey, createApiKey, revokeApiKey } from '../actions/api-keys.ts'
import { withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { listApiKeys } from '../records/api-key/queries.ts'
import { isNotFound, runCommandAction, withDatabase } from './database.ts'
import { readOption } from './options.ts'
import { print, printRow } from './print.ts'

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('manage the API keys of a company')
  keys
    .command('create')
    .description('create a key and print it; it is shown only once')
    .requiredOption('--company <id>', 'the company')
    .requiredOption('--name <name>', 'what the key is for')
    .action(({ company, name }: { company: string; name: string }) => withDatabase(createKey)(company, name))
  keys
    .command('list')
    .description('list keys: id, creation, state, name')
    .requiredOption('--company <id>', 'the company')
    .action(({ company }: { company: string }) => withDatabase(listKeys)(company))
  keys
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .argument('<keyId>', 'id of the key, as "keys list" shows it')
    .requiredOption('--company <id>', 'the company')
    .action((keyId: string, { company }: { company: string }) => withDatabase(revokeKey)(company, keyId))
}

export async function createKey(connection: Connection, companyId: string, name: string): Promise<void> {
  const input = { name: readOption('--name', NewApiKey.shape.name, name) }
  const { key } = await runCommandAction(connection, companyId, createApiKey, input)
  // Shown once; only the hash is stored.
  print(key)
}

async function listKeys(connection: Connection, companyId: string): Promise<void> {
  const keys = await withDb(connection, (client) => listApiKeys(client, companyId))
  if (keys === null) throw new Error(`there is no company ${companyId}`)
  for (const { id, name, createdAt, revokedAt } of keys) {
    printRow([id, createdAt, revokedAt === null ? 'active' : `revoked ${revokedAt}`, name])
  }
}

async function revokeKey(connection: Connection, companyId: string, keyId: string): Promise<void> {
  try {
    await runCommandAction(connection, companyId, revokeApiKey, { id: keyId })
  } catch (error) {
    const hint = `"quoting keys list --company ${companyId}" shows them`
    throw isNotFound(error) ? new Error(`company ${companyId} has no key ${keyId}; ${hint}`) : error
  }
  print(`Revoked ${keyId}.`)
}
