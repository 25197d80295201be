import * as fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { configError } from '../../test/support/config-error.ts'
import { type Config, readConfig } from './config.ts'

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 1000)
vi.setConfig({ testTimeout: 10_000 + numRuns * 20 })

function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, predicate), { numRuns })
}

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 3000,
  databaseUrl: undefined,
  pooler: undefined,
  isDistributed: false,
  databaseConnections: undefined,
  replicaUrls: [],
  replicaLagMaxSeconds: 5,
  dataDir: fileURLToPath(new URL('../../data', import.meta.url)),
  publicUrl: undefined,
  securityContact: undefined,
  appSecret: undefined,
  previousAppSecret: undefined,
  linksNameCompany: false,
  cells: new Map(),
  trustedProxies: [],
  rateLimitPerMinute: undefined,
  changesKeptDays: 90,
  webhookAllowPrivate: undefined,
  smtp: undefined,
  mailFrom: undefined,
  logLevel: 'info',
}

/** 32 random bytes, as the error message recommends. */
const SECRET = randomBytes(32).toString('base64')

const NAMES = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'DATABASE_POOLER',
  'DATABASE_DISTRIBUTED',
  'DATABASE_REPLICA_URL',
  'REPLICA_LAG_MAX_SECONDS',
  'DATA_DIR',
  'PUBLIC_URL',
  'SECURITY_CONTACT',
  'APP_SECRET',
  'APP_SECRET_PREVIOUS',
  'TRUST_PROXY',
  'RATE_LIMIT_PER_MINUTE',
  'CHANGES_KEPT_DAYS',
  'WEBHOOK_ALLOW_PRIVATE',
  'LINKS_NAME_COMPANY',
  'CELLS',
  'SMTP_URL',
  'MAIL_FROM',
  'LOG_LEVEL',
] as const
type Name = (typeof NAMES)[number]

afterEach(() => vi.unstubAllEnvs())

describe('readConfig', () => {
  it('returns the defaults without settings', () => {
    expect(readConfig({})).toEqual(DEFAULTS)
  })

  it.each(NAMES)('uses the default if %s is empty or white space', (name) => {
    for (const blank of ['', ' ', '\t', '\n', ' \r\n ', undefined]) {
      expect(readConfig({ [name]: blank }), JSON.stringify(blank)).toEqual(DEFAULTS)
    }
  })

  it('ignores other variables and names in another case', () => {
    expect(readConfig({ port: '1', Port: '1', PORTS: '1', PGHOST: 'db', NODE_ENV: 'production' })).toEqual(
      DEFAULTS,
    )
  })

  it('does not read the environment of the process', () => {
    vi.stubEnv('PORT', '4711')
    vi.stubEnv('HOST', '0.0.0.0')
    expect(readConfig({})).toEqual(DEFAULTS)
  })

  it('has a data folder that does not depend on the working directory', () => {
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue('/elsewhere')
    try {
      expect(readConfig({}).dataDir).toBe(DEFAULTS.dataDir)
    } finally {
      cwd.mockRestore()
    }
  })
})

const VALID: [name: Name, text: string, config: Partial<Config>][] = [
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['HOST', '::', { host: '::' }],
  ['HOST', 'localhost', { host: 'localhost' }],
  ['HOST', ' 0.0.0.0 ', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '1', { port: 1 }],
  ['PORT', '08080', { port: 8080 }],
  ['PORT', ' 8080\n', { port: 8080 }],
  ['PORT', '65535', { port: 65_535 }],
  ['DATABASE_URL', 'postgres://u:p@db:5432/q', { databaseUrl: 'postgres://u:p@db:5432/q' }],
  ['DATABASE_URL', 'postgresql://db/q?sslmode=require', { databaseUrl: 'postgresql://db/q?sslmode=require' }],
  ['DATABASE_URL', ' postgres://db/q ', { databaseUrl: 'postgres://db/q' }],
  ['DATABASE_URL', 'postgres://u:p%23%2F@[::1]/q', { databaseUrl: 'postgres://u:p%23%2F@[::1]/q' }],
  ['DATABASE_URL', 'postgres:///q?host=/run/pg', { databaseUrl: 'postgres:///q?host=/run/pg' }],
  ['DATABASE_URL', 'postgres://u:p@/q?host=/run/pg', { databaseUrl: 'postgres://u:p@/q?host=/run/pg' }],
  ['DATABASE_URL', 'postgres://u@%2Frun%2Fpg/q', { databaseUrl: 'postgres://u@%2Frun%2Fpg/q' }],
  ['DATABASE_CONNECTIONS', '1', { databaseConnections: 1 }],
  ['DATABASE_CONNECTIONS', '1000', { databaseConnections: 1000 }],
  ['DATABASE_POOLER', 'transaction', { pooler: 'transaction' }],
  ['DATABASE_POOLER', ' transaction\n', { pooler: 'transaction' }],
  ['DATABASE_REPLICA_URL', 'postgres://u:p@r1/q', { replicaUrls: ['postgres://u:p@r1/q'] }],
  [
    'DATABASE_REPLICA_URL',
    ' postgres://u:p,q@r1/q , postgresql://r2/q?sslmode=require,postgres://u@/q?host=/run/pg ',
    {
      replicaUrls: [
        'postgres://u:p,q@r1/q',
        'postgresql://r2/q?sslmode=require',
        'postgres://u@/q?host=/run/pg',
      ],
    },
  ],
  ['REPLICA_LAG_MAX_SECONDS', '2', { replicaLagMaxSeconds: 2 }],
  ['REPLICA_LAG_MAX_SECONDS', '3600', { replicaLagMaxSeconds: 3600 }],
  ['DATA_DIR', '/var/lib/quoting', { dataDir: '/var/lib/quoting' }],
  ['DATA_DIR', '/var/lib/quoting/', { dataDir: '/var/lib/quoting' }],
  ['DATA_DIR', ' /var/lib/a b ', { dataDir: '/var/lib/a b' }],
  ['DATA_DIR', 'x/../y', { dataDir: resolve(process.cwd(), 'y') }],
  ['DATA_DIR', '.', { dataDir: process.cwd() }],
  ['PUBLIC_URL', 'https://quotes.example.com', { publicUrl: 'https://quotes.example.com' }],
  ['PUBLIC_URL', 'https://quotes.example.com/', { publicUrl: 'https://quotes.example.com' }],
  ['PUBLIC_URL', 'https://quotes.example.com///', { publicUrl: 'https://quotes.example.com' }],
  ['PUBLIC_URL', 'http://localhost:8080', { publicUrl: 'http://localhost:8080' }],
  ['PUBLIC_URL', 'http://[::1]:8080/', { publicUrl: 'http://[::1]:8080' }],
  ['PUBLIC_URL', 'https://example.com/a/b/', { publicUrl: 'https://example.com/a/b' }],
  ['PUBLIC_URL', ' https://example.com ', { publicUrl: 'https://example.com' }],
  ['SECURITY_CONTACT', 'security@example.com', { securityContact: 'mailto:security@example.com' }],
  ['SECURITY_CONTACT', 'mailto:security@example.com', { securityContact: 'mailto:security@example.com' }],
  ['SECURITY_CONTACT', ' https://example.com/report ', { securityContact: 'https://example.com/report' }],
  ['APP_SECRET', SECRET, { appSecret: SECRET }],
  ['APP_SECRET', ` ${SECRET}\n`, { appSecret: SECRET }],
  ['APP_SECRET_PREVIOUS', 'the one before', { previousAppSecret: 'the one before' }],
  ['TRUST_PROXY', '10.0.0.1', { trustedProxies: ['10.0.0.1'] }],
  ['TRUST_PROXY', '10.0.0.0/8,::1', { trustedProxies: ['10.0.0.0/8', '::1'] }],
  ['TRUST_PROXY', ' 10.0.0.0/8 , fd00::/8 ', { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] }],
  ['TRUST_PROXY', ',10.0.0.1,, ,::1,', { trustedProxies: ['10.0.0.1', '::1'] }],
  ['TRUST_PROXY', ',', { trustedProxies: [] }],
  ['TRUST_PROXY', '0.0.0.0/0,::/0', { trustedProxies: ['0.0.0.0/0', '::/0'] }],
  ['RATE_LIMIT_PER_MINUTE', '1', { rateLimitPerMinute: 1 }],
  ['RATE_LIMIT_PER_MINUTE', '600', { rateLimitPerMinute: 600 }],
  ['RATE_LIMIT_PER_MINUTE', '1000000000', { rateLimitPerMinute: 1_000_000_000 }],
  ['CHANGES_KEPT_DAYS', '1', { changesKeptDays: 1 }],
  ['CHANGES_KEPT_DAYS', '36500', { changesKeptDays: 36_500 }],
  ['WEBHOOK_ALLOW_PRIVATE', 'true', { webhookAllowPrivate: true }],
  ['WEBHOOK_ALLOW_PRIVATE', 'false', { webhookAllowPrivate: false }],
  ['DATABASE_DISTRIBUTED', 'true', { isDistributed: true }],
  ['DATABASE_DISTRIBUTED', 'false', { isDistributed: false }],
  ['LINKS_NAME_COMPANY', 'true', { linksNameCompany: true }],
  ['LINKS_NAME_COMPANY', 'false', { linksNameCompany: false }],
  [
    'CELLS',
    'a=postgres://db-a/q  b2=postgres://u:p=w@db-1,db-2/q',
    {
      cells: new Map([
        ['a', 'postgres://db-a/q'],
        ['b2', 'postgres://u:p=w@db-1,db-2/q'],
      ]),
    },
  ],
  ['SMTP_URL', 'smtp://mail', { smtp: { host: 'mail', port: 587, tls: 'offered', login: null } }],
  ['SMTP_URL', 'smtp://mail:25?tls=none', { smtp: { host: 'mail', port: 25, tls: 'none', login: null } }],
  ['SMTP_URL', 'smtp://[::1]:25/', { smtp: { host: '::1', port: 25, tls: 'offered', login: null } }],
  [
    'SMTP_URL',
    'smtp://mail?tls=required',
    { smtp: { host: 'mail', port: 587, tls: 'required', login: null } },
  ],
  [
    'SMTP_URL',
    ' smtp://u%40x.org:p%2F%3A@mail.example.com:2525 ',
    {
      smtp: {
        host: 'mail.example.com',
        port: 2525,
        tls: 'required',
        login: { user: 'u@x.org', password: 'p/:' },
      },
    },
  ],
  [
    'SMTP_URL',
    'smtps://u:p@mail',
    { smtp: { host: 'mail', port: 465, tls: 'implicit', login: { user: 'u', password: 'p' } } },
  ],
  ['MAIL_FROM', 'mail@example.com', { mailFrom: { name: null, address: 'mail@example.com' } }],
  ['MAIL_FROM', 'Events <m@example.com>', { mailFrom: { name: 'Events', address: 'm@example.com' } }],
  [
    'MAIL_FROM',
    '"Übung, Inc." <m@example.com>',
    { mailFrom: { name: 'Übung, Inc.', address: 'm@example.com' } },
  ],
  ['LOG_LEVEL', 'error', { logLevel: 'error' }],
  ['LOG_LEVEL', 'warn', { logLevel: 'warn' }],
  ['LOG_LEVEL', 'info', { logLevel: 'info' }],
  ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ['LOG_LEVEL', ' debug ', { logLevel: 'debug' }],
]

const PORT_RULE = 'PORT must be an integer between 0 and 65535'
const RATE_RULE = 'RATE_LIMIT_PER_MINUTE must be an integer between 1 and 1000000000'
const LEVEL_RULE = 'LOG_LEVEL must be one of error, warn, info, debug'
const PUBLIC_RULE = 'PUBLIC_URL must be an http or https URL without a query'
const LAG_RULE = 'REPLICA_LAG_MAX_SECONDS must be an integer between 2 and 3600'
const POOLER_RULE = 'DATABASE_POOLER must be transaction, or not set'
/** Values that a setting rejects, and the beginning of the message, which ends with the value. */
const INVALID: [name: Name, rule: string, texts: string[]][] = [
  [
    'PORT',
    PORT_RULE,
    [
      '65536',
      '99999',
      '-1',
      '+1',
      '3000.0',
      '3e3',
      '0x10',
      'x',
      '3000x',
      '3 000',
      '30\n00',
      '٣',
      '99999999999',
      'NaN',
    ],
  ],
  [
    'RATE_LIMIT_PER_MINUTE',
    RATE_RULE,
    ['0', '00', '-1', '1.5', '1e3', 'none', 'Infinity', '1000000001', '10000000000', '60/min', '1_000'],
  ],
  [
    'CHANGES_KEPT_DAYS',
    'CHANGES_KEPT_DAYS must be an integer between 1 and 36500',
    ['0', '36501', '-1', '1.5', 'forever'],
  ],
  [
    'WEBHOOK_ALLOW_PRIVATE',
    'WEBHOOK_ALLOW_PRIVATE must be true or false',
    ['1', '0', 'yes', 'TRUE', 'on', 'localhost'],
  ],
  ['DATABASE_DISTRIBUTED', 'DATABASE_DISTRIBUTED must be true or false', ['1', 'yes', 'citus']],
  ['LINKS_NAME_COMPANY', 'LINKS_NAME_COMPANY must be true or false', ['1', 'yes', 'a']],
  ['REPLICA_LAG_MAX_SECONDS', LAG_RULE, ['0', '1', '3601', '-5', '5s', '2.5', 'none']],
  [
    'DATABASE_CONNECTIONS',
    'DATABASE_CONNECTIONS must be an integer between 1 and 1000',
    ['0', '1001', '-1', '2.5', 'many'],
  ],
  ['DATABASE_POOLER', POOLER_RULE, ['session', 'Transaction', 'pgbouncer', 'none', 'true', '1']],
  [
    'LOG_LEVEL',
    LEVEL_RULE,
    ['INFO', 'Info', 'trace', 'fatal', 'silent', 'warning', '30', 'info,debug', 'in\nfo'],
  ],
  [
    'PUBLIC_URL',
    PUBLIC_RULE,
    [
      'quotes.example.com',
      'quotes.example.com:3000',
      '//quotes.example.com',
      '/quotes',
      'ftp://quotes.example.com',
      'postgres://quotes.example.com',
      'http://',
      'https:///',
      'http:quotes.example.com',
      'http:/quotes.example.com',
      'https:\\\\quotes.example.com',
      'http://quotes.example.com:99999',
      'http://quotes example.com',
      'http://quotes.example.com/a b',
      'http://quotes.example.com\n/a',
      'http://quotes.example.com?x=1',
      'http://quotes.example.com/?x=1',
      'http://quotes.example.com?',
      'http://quotes.example.com/?',
      'http://quotes.example.com#top',
      'http://quotes.example.com#',
      'javascript:alert(1)',
    ],
  ],
  [
    'MAIL_FROM',
    'MAIL_FROM must be an email address, or a name and an address such as Events <mail@example.com>',
    [
      'mail',
      'mail@',
      'a@b@c',
      'Events mail@example.com',
      '<>',
      'a@example.com, b@example.com',
      'Events <a@example.com> <b@example.com>',
      'Events\nBcc: b@example.com <a@example.com>',
      'a@example.com\nBcc: b@example.com',
      'müller@example.com',
    ],
  ],
  [
    'SECURITY_CONTACT',
    'SECURITY_CONTACT must be an email address or an https URL',
    [
      'security',
      'security@',
      '@example.com',
      'a@b@c',
      'http://example.com/report',
      'https://',
      'https://example.com/a b',
      'https://example.com/\nExpires: never',
      'a@example.com\nContact: b@example.com',
      'javascript:alert(1)',
      'https://exämple.com',
    ],
  ],
]

describe('settings', () => {
  it.each(VALID)('accept %s=%j without a change of other settings', (name, text, config) => {
    expect(readConfig({ [name]: text })).toEqual({ ...DEFAULTS, ...config })
  })

  it('all have accepted values in this table', () => {
    expect(new Set(VALID.map(([name]) => name))).toEqual(new Set(NAMES))
  })

  describe.each(INVALID)('%s', (name, rule, texts) => {
    it.each(texts)('rejects %j', (text) => {
      expect(configError({ [name]: text })).toBe(`${rule}, not ${JSON.stringify(text)}`)
    })
  })

  it.each([
    ['localhost', 'localhost'],
    ['true', 'true'],
    ['1', '1'],
    ['10.0.0.1/8', '10.0.0.1/8'],
    ['10.0.0.0/33', '10.0.0.0/33'],
    ['10.0.0.1 10.0.0.2', '10.0.0.1 10.0.0.2'],
    ['10.0.0.1;10.0.0.2', '10.0.0.1;10.0.0.2'],
    ['10.0.0.1, nginx ,::1', 'nginx'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['[::1]', '[::1]'],
    ['10.0.0.1\n::1', '10.0.0.1\n::1'],
  ])('reject TRUST_PROXY=%j', (text, wrong) => {
    expect(configError({ TRUST_PROXY: text })).toBe(
      `TRUST_PROXY must be comma-separated IP addresses and CIDR blocks, and ${JSON.stringify(wrong)} is neither`,
    )
  })

  it('are named in a message of one line if they are rejected', () => {
    const name = fc.constantFrom(...NAMES)
    check(fc.tuple(name, fc.string({ unit: 'grapheme' })), ([variable, text]) => {
      const message = configError({ [variable]: text }) ?? `${variable} must be nothing else`
      expect(message).toMatch(new RegExp(`^${variable} must be [^\\n\\r]+$`))
    })
  })
})

describe('combined settings', () => {
  it('are all accepted', () => {
    expect(
      readConfig({
        HOST: '0.0.0.0',
        PORT: '80',
        DATABASE_URL: 'postgres://db/q',
        DATABASE_POOLER: 'transaction',
        DATABASE_DISTRIBUTED: 'false',
        DATABASE_CONNECTIONS: '8',
        DATABASE_REPLICA_URL: 'postgres://r1/q,postgres://r2/q',
        REPLICA_LAG_MAX_SECONDS: '10',
        DATA_DIR: '/data',
        PUBLIC_URL: 'https://example.com/',
        SECURITY_CONTACT: 'security@example.com',
        APP_SECRET: SECRET,
        APP_SECRET_PREVIOUS: 'before',
        TRUST_PROXY: '10.0.0.0/8',
        RATE_LIMIT_PER_MINUTE: '60',
        CHANGES_KEPT_DAYS: '30',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        LINKS_NAME_COMPANY: 'true',
        CELLS: 'a=postgres://db/q',
        SMTP_URL: 'smtp://localhost',
        MAIL_FROM: 'mail@example.com',
        LOG_LEVEL: 'warn',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 80,
      databaseUrl: 'postgres://db/q',
      pooler: 'transaction',
      isDistributed: false,
      databaseConnections: 8,
      replicaUrls: ['postgres://r1/q', 'postgres://r2/q'],
      replicaLagMaxSeconds: 10,
      dataDir: '/data',
      publicUrl: 'https://example.com',
      securityContact: 'mailto:security@example.com',
      appSecret: SECRET,
      previousAppSecret: 'before',
      linksNameCompany: true,
      cells: new Map([['a', 'postgres://db/q']]),
      trustedProxies: ['10.0.0.0/8'],
      rateLimitPerMinute: 60,
      changesKeptDays: 30,
      webhookAllowPrivate: true,
      smtp: { host: 'localhost', port: 587, tls: 'offered', login: null },
      mailFrom: { name: null, address: 'mail@example.com' },
      logLevel: 'warn',
    } satisfies Config)
  })

  it.each([
    ['DATABASE_POOLER', 'transaction'],
    ['DATABASE_REPLICA_URL', 'postgres://r1/q'],
  ])('DATABASE_DISTRIBUTED excludes %s', (name, text) => {
    expect(configError({ DATABASE_DISTRIBUTED: 'true', [name]: text })).toBe(
      `DATABASE_DISTRIBUTED must be false, or not set, together with ${name}`,
    )
  })
})
