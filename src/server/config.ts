/** The only reader of settings in the environment. Each setting is validated at startup, so that a wrong one never fails a request. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseMailFrom, parseSmtpUrl } from '../core/mail/settings.ts'
import type { MailFrom, SmtpServer } from '../core/mail/settings.ts'
import { splitDatabaseUrl } from '../db/database-urls.ts'
import { isWeakSecret } from '../core/security/app-secret-strength.ts'
import { isNetwork } from '../core/security/network.ts'
import type { Pooler } from '../db/connect.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const DATABASE_EXAMPLE = 'postgres://user:password@host:5432/database'
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

export interface Config {
  host: string
  port: number
  /** If absent, the embedded database in `dataDir` is used. */
  databaseUrl: string | undefined
  /** The connection pooler in front of the databases, if any. */
  pooler: Pooler | undefined
  /** Whether the tables of the database are distributed with Citus. */
  isDistributed: boolean
  /** Connections for data to the database and to each replica. Default: one per CPU. */
  databaseConnections: number | undefined
  replicaUrls: readonly string[]
  /** The replication lag up to which a replica is read from. */
  replicaLagMaxSeconds: number
  dataDir: string
  /** The public URL without a trailing slash. Default: where it listens. */
  publicUrl: string | undefined
  /** Where to report vulnerabilities, as a `mailto:` or `https:` URL. If absent, security.txt names no address. */
  securityContact: string | undefined
  appSecret: string | undefined
  /** The previous secret: links and cookies it sealed still open. */
  previousAppSecret: string | undefined
  /** Whether links and session cookies name their company, for a proxy that chooses the cell by it. */
  linksNameCompany: boolean
  /** The databases of all cells by name, for the commands about cells. */
  cells: ReadonlyMap<string, string>
  trustedProxies: readonly string[]
  rateLimitPerMinute: number | undefined
  /** Older changes are deleted from the change log. */
  changesKeptDays: number
  /** Whether webhooks may be sent to private addresses. If absent, only the demo on a loopback address does. */
  webhookAllowPrivate: boolean | undefined
  /** Where mail is handed over. If absent, no mail is sent. */
  smtp: SmtpServer | undefined
  /** The sender of all mail. */
  mailFrom: MailFrom | undefined
  logLevel: (typeof LOG_LEVELS)[number]
}

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {}

export function readConfig(env: Record<string, string | undefined>): Config {
  // Shells and compose files write "not set" as an empty variable.
  const read = (name: string) => env[name]?.trim() || undefined
  const rateLimit = read('RATE_LIMIT_PER_MINUTE')
  const connections = read('DATABASE_CONNECTIONS')
  const dataDir = read('DATA_DIR')
  return {
    host: read('HOST') ?? '127.0.0.1',
    port: readInteger('PORT', read('PORT') ?? '3000', 0, 65535),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    pooler: readPooler(read('DATABASE_POOLER')),
    isDistributed: readDistributed(read),
    databaseConnections:
      connections === undefined ? undefined : readInteger('DATABASE_CONNECTIONS', connections, 1, 1000),
    replicaUrls: readReplicaUrls(read('DATABASE_REPLICA_URL')),
    replicaLagMaxSeconds: readInteger(
      'REPLICA_LAG_MAX_SECONDS',
      read('REPLICA_LAG_MAX_SECONDS') ?? '5',
      2,
      3600,
    ),
    // Relative to the checkout, so that every command finds the same data from any directory.
    dataDir: dataDir === undefined ? resolve(CHECKOUT, 'data') : resolve(dataDir),
    publicUrl: readPublicUrl(read('PUBLIC_URL')),
    securityContact: readSecurityContact(read('SECURITY_CONTACT')),
    appSecret: readAppSecret(read('APP_SECRET')),
    // Not checked: a weak secret can be replaced only if the links it sealed still open.
    previousAppSecret: read('APP_SECRET_PREVIOUS'),
    linksNameCompany: readBoolean('LINKS_NAME_COMPANY', read('LINKS_NAME_COMPANY')) ?? false,
    cells: readCells(read('CELLS')),
    trustedProxies: readTrustedProxies(read('TRUST_PROXY')),
    rateLimitPerMinute:
      rateLimit === undefined ? undefined : readInteger('RATE_LIMIT_PER_MINUTE', rateLimit, 1, 1_000_000_000),
    changesKeptDays: readInteger('CHANGES_KEPT_DAYS', read('CHANGES_KEPT_DAYS') ?? '90', 1, 36_500),
    webhookAllowPrivate: readBoolean('WEBHOOK_ALLOW_PRIVATE', read('WEBHOOK_ALLOW_PRIVATE')),
    smtp: readSmtpUrl(read('SMTP_URL')),
    mailFrom: readMailFrom(read('MAIL_FROM')),
    logLevel: readLogLevel(read('LOG_LEVEL') ?? 'info'),
  }
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d{1,10}$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be an integer between ${min} and ${max}, not ${quote(text)}`)
  }
  return value
}

function readDistributed(read: (name: string) => string | undefined): boolean {
  const isDistributed = readBoolean('DATABASE_DISTRIBUTED', read('DATABASE_DISTRIBUTED')) ?? false
  const other = ['DATABASE_POOLER', 'DATABASE_REPLICA_URL'].find((name) => read(name) !== undefined)
  if (isDistributed && other !== undefined)
    throw new ConfigError(`DATABASE_DISTRIBUTED must be false, or not set, together with ${other}`)
  return isDistributed
}

function readBoolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ConfigError(`${name} must be true or false, not ${quote(text)}`)
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || splitDatabaseUrl(text).every(isDatabaseUrl)) return text
  throw new ConfigError(`DATABASE_URL must be a PostgreSQL URL such as ${DATABASE_EXAMPLE}`)
}

/** The text contains passwords, so the message does not repeat it. */
function readCells(text: string | undefined): ReadonlyMap<string, string> {
  const cells = new Map<string, string>()
  for (const entry of text?.split(/\s+/) ?? []) {
    const [, name = '', url = ''] = /^([a-z0-9]{1,16})=(.*)$/.exec(entry) ?? []
    if (name === '' || cells.has(name) || !splitDatabaseUrl(url).every(isDatabaseUrl)) {
      throw new ConfigError(
        `CELLS must be names and PostgreSQL URLs such as a=${DATABASE_EXAMPLE} b=${DATABASE_EXAMPLE}, separated by spaces; a name has 1 to 16 characters a-z and 0-9`,
      )
    }
    cells.set(name, url)
  }
  return cells
}

function readReplicaUrls(text: string | undefined): string[] {
  if (text === undefined) return []
  // Only before another URL: a password may contain a comma.
  const urls = text.split(/,(?=\s*postgres(?:ql)?:\/\/)/).map((url) => url.trim())
  if (urls.every(isDatabaseUrl)) return urls
  throw new ConfigError(
    `DATABASE_REPLICA_URL must be comma-separated PostgreSQL URLs such as ${DATABASE_EXAMPLE}`,
  )
}

/** The text may contain a password, so no message repeats it. */
function isDatabaseUrl(text: string): boolean {
  // Without a host, such as `user@/database?host=/socket/folder`, it is valid for PostgreSQL but not for the URL parser.
  const parses = URL.canParse(text) || URL.canParse(text.replace('@/', '@localhost/'))
  return parses && /^postgres(ql)?:\/\//.test(text)
}

/** The text may contain a password, so the message does not repeat it. */
function readSmtpUrl(text: string | undefined): SmtpServer | undefined {
  const server = text === undefined ? undefined : parseSmtpUrl(text)
  if (server === null)
    throw new ConfigError(
      'SMTP_URL must be a URL such as smtp://user:password@host:587 or smtps://user:password@host:465; see docs/mail.md',
    )
  return server
}

function readMailFrom(text: string | undefined): MailFrom | undefined {
  const from = text === undefined ? undefined : parseMailFrom(text)
  if (from === null)
    throw new ConfigError(
      `MAIL_FROM must be an email address, or a name and an address such as Events <mail@example.com>, not ${quote(String(text))}`,
    )
  return from
}

function readPooler(text: string | undefined): Pooler | undefined {
  if (text === undefined || text === 'transaction') return text
  throw new ConfigError(`DATABASE_POOLER must be transaction, or not set, not ${quote(text)}`)
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // Paths are appended to the text: `http:host` or a trailing `?` parses but gives broken links.
  if (!URL.canParse(text) || !/^https?:\/\/[^\s?#]+$/i.test(text)) {
    throw new ConfigError(`PUBLIC_URL must be an http or https URL without a query, not ${quote(text)}`)
  }
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** As security.txt needs it: one line, ASCII, a URL. */
function readSecurityContact(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (/^https:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text)) return text
  const address = text.replace(/^mailto:/, '')
  if (/^[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(address)) return `mailto:${address}`
  throw new ConfigError(`SECURITY_CONTACT must be an email address or an https URL, not ${quote(text)}`)
}

/** The message reveals nothing about the secret, not even its length. */
function readAppSecret(text: string | undefined): string | undefined {
  if (text === undefined || !isWeakSecret(text)) return text
  throw new ConfigError(
    'APP_SECRET must be at least 32 characters of random text; create one with: openssl rand -base64 32 (to replace a secret in use, set APP_SECRET_PREVIOUS to the old one)',
  )
}

function readTrustedProxies(text: string | undefined): string[] {
  const proxies = (text ?? '').split(',').map((part) => part.trim())
  const networks = proxies.filter((part) => part !== '')
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong !== undefined) {
    throw new ConfigError(
      `TRUST_PROXY must be comma-separated IP addresses and CIDR blocks, and ${quote(wrong)} is neither`,
    )
  }
  return networks
}

function readLogLevel(text: string): Config['logLevel'] {
  const level = LOG_LEVELS.find((name) => name === text)
  if (level === undefined)
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not ${quote(text)}`)
  return level
}

/** Quoted, on one line, whatever it contains. */
function quote(text: string): string {
  return JSON.stringify(text)
}
