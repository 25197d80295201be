import { describe, expect, it } from 'vitest'
import { describeError } from './log-error.ts'

/** An error as the driver creates it from a response of PostgreSQL. */
function databaseError(message: string, members: Record<string, string>): Error {
  return Object.assign(new Error(message), { name: 'error', severity: 'ERROR', ...members })
}

const SECRET = 'ada@example.com'
const UNIQUE = () =>
  databaseError('duplicate key value violates unique constraint "users_pkey"', {
    code: '23505',
    table: 'users',
    constraint: 'users_pkey',
    routine: '_bt_check_unique',
    detail: `Key (email)=(${SECRET}) already exists.`,
    hint: `Is it ${SECRET}?`,
    where: `SQL statement "SELECT '${SECRET}'"`,
    internalQuery: `SELECT '${SECRET}'`,
  })

describe('an error of PostgreSQL in the log', () => {
  it('has code, message and names, but no detail, hint, context or query', () => {
    expect(describeError(UNIQUE())).toEqual({
      type: 'Error',
      message: 'duplicate key value violates unique constraint "users_pkey"',
      stack: expect.stringMatching(/duplicate key value[^]*\n {4}at /),
      code: '23505',
      severity: 'ERROR',
      table: 'users',
      constraint: 'users_pkey',
      routine: '_bt_check_unique',
    })
  })

  it.each([
    ['cause', () => new Error('cannot save', { cause: UNIQUE() })],
    ['cause of a cause', () => new Error('a', { cause: new Error('b', { cause: UNIQUE() }) })],
    ['member of an aggregate', () => new AggregateError([new Error('one'), UNIQUE()], 'all failed')],
    ['cause of a member', () => new AggregateError([new Error('one', { cause: UNIQUE() })], 'all failed')],
    ['other member', () => Object.assign(new Error('cannot save'), { original: UNIQUE() })],
    ['object that is not an error', () => ({ detail: SECRET })],
  ])('has no detail as a %s', (_, create) => {
    expect(JSON.stringify(describeError(create()))).not.toContain(SECRET)
  })

  it('shows the messages of causes and aggregates', () => {
    const cause = new Error('cannot save', { cause: UNIQUE() })
    expect(describeError(cause)).toMatchObject({
      message: expect.stringMatching(/^cannot save: duplicate key/),
    })
    expect(describeError(new AggregateError([UNIQUE()], 'all failed'))).toMatchObject({
      message: 'all failed',
      aggregateErrors: [{ code: '23505' }],
    })
  })

  it.each([
    [`invalid input syntax for type integer: "${SECRET}"`, 'invalid input syntax for type integer …'],
    [`value "${SECRET}" is out of range for type integer`, 'value …'],
    [`ungültige Eingabesyntax für Typ integer: »${SECRET}«`, 'ungültige Eingabesyntax für Typ integer …'],
    [
      `syntaxe en entrée invalide pour le type integer : « ${SECRET} »`,
      'syntaxe en entrée invalide pour le type integer …',
    ],
    ['integer out of range', 'integer out of range'],
  ])('does not quote a value: %s', (message, shown) => {
    const described = describeError(databaseError(message, { code: '22P02' })) as Record<string, string>
    expect(described['message']).toBe(shown)
    expect(described['stack']).toContain(shown)
    expect(JSON.stringify(described)).not.toContain(SECRET)
  })
})

describe('another error in the log', () => {
  it('keeps the code and address of a lost connection', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
      code: 'ECONNREFUSED',
      errno: -111,
      syscall: 'connect',
      address: '127.0.0.1',
      port: 1,
    })
    expect(describeError(error)).toMatchObject({
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '127.0.0.1',
      port: 1,
    })
  })

  it('can be its own cause or member', () => {
    const circular: Error & { cause?: unknown } = new Error('circular')
    circular.cause = circular
    expect(describeError(circular)).toMatchObject({ message: 'circular' })
    const aggregate = new AggregateError([], 'aggregate')
    aggregate.errors.push(aggregate, circular)
    expect(describeError(aggregate)).toMatchObject({ aggregateErrors: [{ message: 'circular' }] })
  })

  it.each(['text', 7, null, undefined])('%j is logged unchanged', (value) => {
    expect(describeError(value)).toBe(value)
  })
})
