/** The callers and the input that actions accept. Their effects are tested with the endpoints and pages. */
import { readdir } from 'node:fs/promises'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAction, runAction } from '../src/actions/action.ts'
import type { Action } from '../src/actions/action.ts'
import { createCompany } from '../src/actions/create-company.ts'
import { changePassword } from '../src/actions/users.ts'
import { SYSTEM_ONLY } from '../src/core/callers.ts'
import type { Caller } from '../src/core/callers.ts'
import { contextOf } from './support/actions.ts'
import { createDatabase } from './support/database.ts'
import { insertCompany } from './support/records.ts'

const folder = new URL('../src/actions/', import.meta.url)
const modules = await Promise.all(
  (await readdir(folder)).map((name) => import(new URL(name, folder).href) as Promise<object>),
)
const actions = modules.flatMap((module) => Object.values(module)).filter(isAction)

function isAction(value: unknown): value is Action<unknown, unknown> {
  return value instanceof Object && 'run' in value && 'lock' in value
}

const runBy = (caller: Caller) =>
  actions
    .filter(({ allowed }) => allowed.includes(caller))
    .map(({ name }) => name)
    .toSorted()

const hasUnknownMembers = ({ error }: z.ZodSafeParseResult<unknown>) =>
  error?.issues.some(({ code }) => code === 'unrecognized_keys')

/** Connections fail: nothing listens on this port. */
const unreachable = new Pool({ host: '127.0.0.1', port: 1 })

describe('actions', () => {
  it('have different names', () => {
    const names = actions.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('allow customers only the actions of their pages', () => {
    expect(runBy('customer')).toEqual([
      'acceptQuote',
      'askQuestion',
      'declineQuote',
      'recordQuoteView',
      'submitBookingForm',
      'submitQuoteForm',
    ])
  })

  it('allow visitors only actions that need a link or a password', () => {
    expect(runBy('visitor')).toEqual(['acceptInvitation', 'createCompany', 'resetPassword', 'signIn'])
  })

  it('allow only administrators to change people, keys, webhooks and settings', () => {
    const members = runBy('MEMBER')
    expect(runBy('ADMIN').filter((name) => !members.includes(name))).toEqual([
      'changeRole',
      'createApiKey',
      'createResetLink',
      'createWebhookEndpoint',
      'deleteWebhookEndpoint',
      'inviteUser',
      'replayChanges',
      'retryDelivery',
      'revokeApiKey',
      'revokeInvitation',
      'rotateWebhookSecret',
      'sendTestMail',
      'setAllowedIps',
      'setUserAccess',
      'updateCompany',
      'updateWebhookEndpoint',
    ])
    expect(members.filter((name) => !runBy('ADMIN').includes(name))).toEqual([])
  })

  it('allow API keys the actions of the endpoints', () => {
    expect(runBy('apiKey')).toEqual([
      'bookQuote',
      'cancelEvent',
      'createLead',
      'createQuote',
      'createTask',
      'createWebhookEndpoint',
      'deleteTask',
      'deleteWebhookEndpoint',
      'loseQuote',
      'recordPayment',
      'reopenQuote',
      'replayChanges',
      'retryDelivery',
      'rotateWebhookSecret',
      'sendQuote',
      'updateEvent',
      'updateLead',
      'updateQuote',
      'updateTask',
      'updateWebhookEndpoint',
    ])
  })

  const callers: Caller[] = ['ADMIN', 'MEMBER', 'apiKey', 'customer', 'visitor']

  it.each(actions)('$name: rejects other callers before it connects', async (action) => {
    for (const caller of callers.filter((other) => !action.allowed.includes(other)))
      await expect(runAction(contextOf(unreachable, 'co_1', caller), action, {})).rejects.toMatchObject({
        code: 'forbidden',
      })
  })

  it.each(actions)('$name: rejects unknown members before it connects', async (action) => {
    // The schemas of two actions depend on `type`.
    const input = { somethingElse: true, type: 'PERCENT' }
    expect(hasUnknownMembers(action.input.safeParse(input))).toBe(true)
    const run = runAction(contextOf(unreachable, 'co_1', 'system'), action, input)
    await expect(run).rejects.toMatchObject({ code: 'invalid_parameter', status: 400 })
  })
})

describe('an invalid member of the input', () => {
  it('is reported with its position', async () => {
    const action = defineAction({
      name: 'saveLines',
      allowed: SYSTEM_ONLY,
      input: z.strictObject({ lines: z.array(z.strictObject({ cents: z.int('must be an integer') })) }),
      lock: 'last',
      run: async () => undefined,
    })
    const run = runAction(contextOf(unreachable, 'co_1', 'system'), action, { lines: [{ cents: 0.5 }] })
    await expect(run).rejects.toMatchObject({
      code: 'invalid_parameter',
      param: 'lines[0].cents',
      message: 'lines[0].cents: must be an integer',
    })
  })
})

describe('changePassword', () => {
  it('rejects a change of the password of another user', async () => {
    const { pool } = await createDatabase()
    await insertCompany(pool, 'co_1')
    const input = { id: 'user_2', passwordHash: 'hash' }
    await expect(runAction(contextOf(pool), changePassword, input)).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('createCompany', () => {
  it('needs a setup link, except for the operator', async () => {
    const { pool } = await createDatabase()
    const country = { country: 'US', currency: 'USD', timeZone: 'America/New_York', locale: null }
    const input = {
      company: { name: 'Harbor', plan: 'PREMIUM' as const, ...country },
      user: { id: 'user_1', name: 'Ada', email: 'ada@harbor.example', passwordHash: 'hash' },
      setup: null,
    }
    const create = (caller: Caller) => runAction(contextOf(pool, 'co_1', caller), createCompany, input)
    await expect(create('visitor')).rejects.toThrow('link')
    await create('system')
    const { rows } = await pool.query('SELECT id FROM companies')
    expect(rows).toEqual([{ id: 'co_1' }])
  })
})
