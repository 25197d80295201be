/** The secret from which everything is derived that must stay ours across restarts, such as links in sent invoices. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'

/** As set; or, with the embedded database, made at the first start and kept beside it. */
export function loadAppSecret(config: Config): string {
  if (config.appSecret !== undefined) return config.appSecret
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'APP_SECRET is required with DATABASE_URL: set it to a long random text, the same in every process',
    )
  }
  const path = madeSecretPath(config)
  mkdirSync(config.dataDir, { recursive: true })
  const draft = `${path}-${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    // A link fails where the file exists already: of several processes that start at once, one decides.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8')
}

/** The one that was made: it belongs into a backup. One that the operator has set is the operator's to keep. */
export function findMadeSecret(config: Config): string | undefined {
  if (config.appSecret !== undefined || config.databaseUrl !== undefined) return undefined
  const path = madeSecretPath(config)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Puts the secret of a backup in the place of one that was made; false where the operator's counts instead. */
export function keepMadeSecret(config: Config, secret: string): boolean {
  if (config.appSecret !== undefined || config.databaseUrl !== undefined) return false
  const draft = `${madeSecretPath(config)}-${process.pid}`
  writeFileSync(draft, secret, { mode: 0o600 })
  renameSync(draft, madeSecretPath(config))
  return true
}

function madeSecretPath(config: Config): string {
  return join(config.dataDir, 'app-secret')
}
