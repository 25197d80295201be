/** The secret from which everything is derived that must stay ours across restarts, such as links in sent invoices. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import type { Config } from './config.ts'
import { createOnce, prepareDataFolder, syncFolder, writeDraft } from '../db/data-folder.ts'

/** As set; or, with the embedded database, made at the first start and kept beside it. */
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

/** The one that was made: it belongs into a backup. One that the operator has set is the operator's to keep. */
export function findMadeSecret(config: Config): string | undefined {
  if (config.appSecret !== undefined || config.databaseUrl !== undefined) return undefined
  const path = madeSecretPath(config)
  return existsSync(path) ? readMadeSecret(path) : undefined
}

interface DraftedSecret {
  keep: () => void
  drop: () => void
}

/** Writes the secret of a backup beside the one that was made, to take its place; null where the operator's counts. */
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

/** A made one has 43 characters. One that is shorter could be guessed; an empty one is known to everybody. */
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
