import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const CHECKOUT = resolve(import.meta.dirname, '..')

describe('settings that are not given', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    dataDir: resolve(CHECKOUT, 'data'),
    publicUrl: undefined,
    appSecret: undefined,
    previousAppSecret: undefined,
    trustedProxies: [],
    rateLimitPerMinute: undefined,
    logLevel: 'info',
  }

  it('have their defaults', () => {
    expect(readConfig({})).toEqual(defaults)
  })

  it('may be given as nothing or as blanks', () => {
    const names = `HOST PORT DATABASE_URL DATA_DIR PUBLIC_URL APP_SECRET APP_SECRET_PREVIOUS TRUST_PROXY RATE_LIMIT_PER_MINUTE LOG_LEVEL`
    for (const value of ['', '  ']) {
      expect(readConfig(Object.fromEntries(names.split(' ').map((name) => [name, value])))).toEqual(defaults)
    }
  })

  it('are not taken from variables of other programs', () => {
    expect(readConfig({ PGHOST: 'elsewhere', NODE_ENV: 'production', HTTP_PROXY: 'x' })).toEqual(defaults)
  })
})

describe('settings that are given', () => {
  it.each([
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['HOST', '::', 'host', '::'],
    ['PORT', '8080', 'port', 8080],
    ['PORT', ' 8080 ', 'port', 8080],
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65535],
    ['DATABASE_URL', 'postgres://u:p@h:5432/d', 'databaseUrl', 'postgres://u:p@h:5432/d'],
    ['DATABASE_URL', 'postgresql://h/d', 'databaseUrl', 'postgresql://h/d'],
    ['DATABASE_URL', 'postgres://u:p@/d?host=/run/pg', 'databaseUrl', 'postgres://u:p@/d?host=/run/pg'],
    ['DATA_DIR', '/srv/quoting', 'dataDir', '/srv/quoting'],
    ['DATA_DIR', 'here', 'dataDir', resolve('here')],
    ['PUBLIC_URL', 'https://api.example.com', 'publicUrl', 'https://api.example.com'],
    ['PUBLIC_URL', 'https://api.example.com/', 'publicUrl', 'https://api.example.com'],
    ['PUBLIC_URL', 'http://example.com:8080/base/', 'publicUrl', 'http://example.com:8080/base'],
    ['APP_SECRET', 'a secret', 'appSecret', 'a secret'],
    ['APP_SECRET_PREVIOUS', 'an old secret', 'previousAppSecret', 'an old secret'],
    ['TRUST_PROXY', '10.0.0.1', 'trustedProxies', ['10.0.0.1']],
    ['TRUST_PROXY', '10.0.0.0/8, ::1 ,', 'trustedProxies', ['10.0.0.0/8', '::1']],
    ['RATE_LIMIT_PER_MINUTE', '1', 'rateLimitPerMinute', 1],
    ['RATE_LIMIT_PER_MINUTE', '600', 'rateLimitPerMinute', 600],
    ['LOG_LEVEL', 'error', 'logLevel', 'error'],
    ['LOG_LEVEL', 'warn', 'logLevel', 'warn'],
    ['LOG_LEVEL', 'info', 'logLevel', 'info'],
    ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ])('%s=%s', (name, value, field, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject({ [field]: expected })
  })
})

describe('a setting that cannot be used stops the start, with one line that names it', () => {
  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'host=h dbname=d'],
    ['DATABASE_URL', 'postgres://u:p@h:port/d'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'http://'],
    ['PUBLIC_URL', 'https://example.com/?a=1'],
    ['PUBLIC_URL', 'https://example.com/?'],
    ['PUBLIC_URL', 'https://example.com/#top'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'loopback'],
    ['TRUST_PROXY', '10.0.0.1, proxy.example.com'],
    ['TRUST_PROXY', '10.0.0.1/8'],
    ['TRUST_PROXY', '*'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['RATE_LIMIT_PER_MINUTE', '-5'],
    ['RATE_LIMIT_PER_MINUTE', 'none'],
    ['RATE_LIMIT_PER_MINUTE', '1.5'],
    ['LOG_LEVEL', 'INFO'],
    ['LOG_LEVEL', 'trace'],
    ['LOG_LEVEL', 'verbose'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name} must be [^\\n]+$`))
  })

  it('and never repeats DATABASE_URL, which may hold a password', () => {
    for (const url of ['mysql://u:s3cret@h/d', 'postgres://u:s3cret@h:port/d']) {
      expect(() => readConfig({ DATABASE_URL: url })).toThrow(/^DATABASE_URL(?!.*s3cret)/)
    }
  })
})
