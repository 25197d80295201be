/** The application secret. Keys that must survive restarts, such as those of invoice links, are derived from it. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import { createOnce, prepareDataFolder, syncFolder, writeDraft } from '../db/data-folder.ts'

/** From the environment. With the embedded database it is generated at the first start and stored next to the data. */
export function loadAppSecret(config: Config): string {
  if (config.appSecret !== undefined) return config.appSecret
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'APP_SECRET is required with DATABASE_URL: create one with "openssl rand -base64 32" and use it in every process',
    )
  }
  const path = madeSecretPath(config)
  prepareDataFolder(config.dataDir)
  createOnce(path, randomBytes(32).toString('base64url'))
  return readMadeSecret(path)
}

/** The generated secret, which belongs in a backup. A secret from the environment is the operator's to keep. */
export function findMadeSecret(config: Config): string | undefined {
  if (config.appSecret !== undefined || config.databaseUrl !== undefined) return undefined
  const path = madeSecretPath(config)
  return existsSync(path) ? readMadeSecret(path) : undefined
}

interface DraftedSecret {
  keep: () => void
  drop: () => void
}

/** Writes the secret of a backup, to replace the generated one. Null if the operator sets the secret. */
export function draftMadeSecret(config: Config, secret: string): DraftedSecret | null {
  if (config.appSecret !== undefined || config.databaseUrl !== undefined) return null
  const path = madeSecretPath(config)
  const draft = writeDraft(path, secret)
  return {
    keep: () => {
      renameSync(draft, path)
      syncFolder(config.dataDir)
    },
    drop: () => rmSync(draft),
  }
}

/** A generated secret has 43 characters. A shorter or empty file is damaged and must not be used. */
export function isTooShort(secret: string): boolean {
  return secret.length < 32
}

function readMadeSecret(path: string): string {
  const secret = readFileSync(path, 'utf8')
  if (!isTooShort(secret)) return secret
  throw new ConfigError(
    `${path} holds no whole secret: put it back as it was, or remove it, and invoice links sent before open no more`,
  )
}

function madeSecretPath(config: Config): string {
  return join(config.dataDir, 'app-secret')
}
