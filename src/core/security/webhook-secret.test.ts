import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createWebhookSecrets, newWebhookSecret, showSecret, signWebhook } from './webhook-secret.ts'

const OWNER = { companyId: 'co_1', endpointId: 'whe_1' }

describe('sealed secrets', () => {
  it('K1: open for their endpoint only', () => {
    const { seal, open } = createWebhookSecrets('first')
    const secret = newWebhookSecret()
    const sealed = seal(OWNER, secret)
    expect(open(OWNER, sealed)).toEqual(secret)
    expect(open({ ...OWNER, endpointId: 'whe_2' }, sealed)).toBeNull()
    expect(open({ ...OWNER, companyId: 'co_2' }, sealed)).toBeNull()
    expect(seal(OWNER, secret)).not.toBe(sealed)
  })

  it.each(['', 'x', 'A'.repeat(80)])('do not open if %j was never sealed', (sealed) => {
    expect(createWebhookSecrets('first').open(OWNER, sealed)).toBeNull()
  })

  it('do not open if a byte is changed', () => {
    const { seal, open } = createWebhookSecrets('first')
    const bytes = Buffer.from(seal(OWNER, newWebhookSecret()), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(open(OWNER, changed.toString('base64url'))).toBeNull()
    }
  })

  it('open with the previous application secret, and can be sealed again', () => {
    const secret = newWebhookSecret()
    const old = createWebhookSecrets('first').seal(OWNER, secret)
    const rotated = createWebhookSecrets('second', 'first')
    expect(rotated.open(OWNER, old)).toEqual(secret)
    const again = rotated.reseal(OWNER, old) ?? ''
    expect(createWebhookSecrets('second').open(OWNER, again)).toEqual(secret)
    expect(rotated.reseal(OWNER, again)).toBeNull()
    expect(createWebhookSecrets('third').reseal(OWNER, again)).toBeNull()
  })
})

describe('signWebhook', () => {
  it('K2: creates signatures that Standard Webhooks verifies', () => {
    const [first, second] = [newWebhookSecret(), newWebhookSecret()]
    const message = { id: 'chg_1', timestamp: Math.floor(Date.now() / 1_000), body: '{"a":"ü"}' }
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signWebhook([first, second], message),
    }
    for (const secret of [first, second])
      expect(new Webhook(showSecret(secret)).verify(message.body, headers)).toEqual({ a: 'ü' })
    expect(() => new Webhook(showSecret(newWebhookSecret())).verify(message.body, headers)).toThrow(
      /signature/,
    )
  })
})
