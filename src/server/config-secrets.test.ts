import * as fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { configError } from '../../test/support/config-error.ts'
import { readConfig } from './config.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
vi.setConfig({ testTimeout: 10_000 + numRuns * 20 })

const SECRET = randomBytes(32).toString('base64')

const REPLICA_RULE =
  'DATABASE_REPLICA_URL must be comma-separated PostgreSQL URLs such as postgres://user:password@host:5432/database'
const DATABASE_RULE =
  'DATABASE_URL must be a PostgreSQL URL such as postgres://user:password@host:5432/database'

describe('settings with secrets', () => {
  it.each([
    'mysql://u:hunter2@db/q',
    'http://u:hunter2@db/q',
    'POSTGRES://u:hunter2@db/q',
    'postgre://u:hunter2@db/q',
    'postgres:u:hunter2@db/q',
    'postgres:/u:hunter2@db/q',
    'u:hunter2@db/q',
    'host=db password=hunter2',
    'x postgres://u:hunter2@db/q',
    'x\npostgres://u:hunter2@db/q',
    'postgres://u:hunter2@db:port/q',
    'postgres://u:hunter2@db:99999/q',
    'postgres://u:hunter2#@db/q',
    'postgres://u:hunter2/@db/q',
    'postgres://u:hunter2@[::1/q',
    'hunter2',
  ])('DATABASE_URL and DATABASE_REPLICA_URL reject %j without repeating it', (text) => {
    expect(configError({ DATABASE_URL: text })).toBe(DATABASE_RULE)
    expect(configError({ DATABASE_REPLICA_URL: text })).toBe(REPLICA_RULE)
    expect(configError({ DATABASE_REPLICA_URL: `${text},postgres://db/q` })).toBe(REPLICA_RULE)
  })

  it.each([
    'mail.example.com',
    'u:hunter2@mail',
    'http://u:hunter2@mail',
    'smtp:u:hunter2@mail',
    'smtp://',
    'smtp://u:hunter2@',
    'smtp://u@mail',
    'smtp://:hunter2@mail',
    'smtp://u:hunter2@mail/path',
    'smtp://u:hunter2@mail#x',
    'smtp://u:hunter2@mail:0',
    'smtp://u:hunter2@mail:99999',
    'smtp://u:hunter2/@mail',
    'smtp://u:%zz@mail',
    'smtp://u:hunter2@mail?tls=maybe',
    'smtp://u:hunter2@mail?tls=none&tls=none',
    'smtp://u:hunter2@mail?pool=true',
    'smtps://u:hunter2@mail?tls=none',
    'smtp://u:hunter2@mail one',
  ])('SMTP_URL rejects %j without repeating it', (text) => {
    expect(configError({ SMTP_URL: text })).toBe(
      'SMTP_URL must be a URL such as smtp://user:password@host:587 or smtps://user:password@host:465; see docs/mail.md',
    )
  })

  it.each([
    'too-short',
    SECRET.slice(0, 31),
    'a'.repeat(64),
    'secret'.repeat(10),
    '12345678901234567890123456789012',
    'abcdefghijklmnopqrstuvwxyz012345',
  ])('APP_SECRET rejects %j with a message that says how to create one', (text) => {
    const message = configError({ APP_SECRET: text })
    expect(message).toMatch(/^APP_SECRET must be at least 32 characters of random text/)
    expect(message).toContain('openssl rand -base64 32')
    expect(message).toContain('APP_SECRET_PREVIOUS')
    expect(message).not.toContain(text)
  })

  it('APP_SECRET_PREVIOUS can be weak, because it is being replaced', () => {
    expect(readConfig({ APP_SECRET: SECRET, APP_SECRET_PREVIOUS: 'short' }).previousAppSecret).toBe('short')
  })

  it('never appear in a message about the same or another setting', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{12,24}$/)
    const others = fc.constantFrom<Record<string, string>>(
      { PORT: 'x' },
      { LOG_LEVEL: 'x' },
      { TRUST_PROXY: 'x' },
      { PUBLIC_URL: 'x' },
      { RATE_LIMIT_PER_MINUTE: 'x' },
      { DATABASE_URL: 'x' },
      { DATABASE_REPLICA_URL: 'x' },
      { DATABASE_POOLER: 'x' },
    )
    const scheme = fc.constantFrom('postgres://', 'postgresql://', 'mysql://', 'postgres:', '')
    const predicate = fc.property(secret, scheme, others, (password, start, other) => {
      const env = {
        DATABASE_URL: `${start}u:${password}@db/q`,
        DATABASE_REPLICA_URL: `${start}u:${password}@db/q,${start}u:${password}@db2/q`,
        SMTP_URL: `${start}u:${password}@db/q`,
        APP_SECRET: password,
        APP_SECRET_PREVIOUS: password,
      }
      expect(configError({ ...env, ...other })).not.toContain(password)
    })
    fc.assert(predicate, { numRuns })
  })
})
