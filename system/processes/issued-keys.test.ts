/** A5: a key is shown once, by the command that creates it, and never stored. */
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { DENIAL_REASONS, insertDenied, listDenials } from '../../test/support/denials.ts'
import { answerText, dumpTables, issueKeys, keySearch, useKey } from '../../test/support/issued-keys.ts'
import { runCommand } from '../../test/support/process.ts'
import { insertCompany } from '../../test/support/records.ts'
import { startServer } from '../../test/support/server.ts'

const { pool, connection } = await createDatabase()
const server = await startServer(connection)
await insertCompany(pool, 'co_1')
await insertDenied(pool)
const SETTINGS = { DATABASE_URL: connectionUrl(connection), APP_SECRET: 'a secret of thirty-two characters' }
const run = (...args: string[]) => runCommand(args, SETTINGS)

const created = await run('keys', 'create', '--company', 'co_1', '--name', 'By the command')
const keys = [created.stdout.trim(), ...(await issueKeys(connection, 'co_1', 999))]
const findKeys = keySearch(keys)

describe('A5: of 1,000 issued keys', () => {
  it('all have the format of a key and are different', () => {
    expect(new Set(keys).size).toBe(1_000)
    expect(keys.filter((key) => !/^eqs_[0-9A-Za-z]{40}$/.test(key))).toEqual([])
  })

  it('none is in a response or in the log for any use', { timeout: 120_000 }, async () => {
    const statuses = new Set<number>()
    for (const [i, key] of keys.entries()) {
      // Uses all keys correctly, and some in all wrong ways.
      const answers =
        i % 20 === 0 ? await useKey(server.port, key) : [await server.get('/api/resources', key)]
      expect(answers[0]?.status).toBe(200)
      for (const answer of answers) {
        statuses.add(answer.status)
        expect(findKeys(answerText(answer))).toEqual([])
      }
    }
    expect(statuses).toEqual(new Set([200, 400, 401, 404]))
    expect(server.log.length).toBeGreaterThan(1_500)
    expect(findKeys(JSON.stringify(server.log))).toEqual([])
    expect(findKeys(JSON.stringify((await server.call('/metrics')).text))).toEqual([])
  })

  it('none is in the output of another command', async () => {
    const listed = await run('keys', 'list', '--company', 'co_1')
    const [id = ''] = listed.stdout.split('\t')
    const outputs = [
      listed,
      await run('export'),
      await run('doctor'),
      await run('keys', 'revoke', '--company', 'co_1', id),
    ]
    expect(outputs.map(({ status }) => status)).toEqual([0, 0, 0, 0])
    expect(listed.stdout.trim().split('\n').length).toBe(1_000)
    for (const { stdout, stderr } of outputs) expect(findKeys(stdout + stderr)).toEqual([])
  })

  it('none is in the database', async () => {
    const dump = await dumpTables(connection)
    expect(dump.find((text) => text.startsWith('api_keys\n'))?.split('\n').length).toBeGreaterThan(1_000)
    expect(dump.length).toBeGreaterThan(60)
    for (const text of dump) expect(findKeys(text)).toEqual([])
  })

  it('the search finds keys in every encoding', () => {
    const [key = ''] = keys
    const forms = [key, key.slice(4), Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')]
    for (const form of forms) expect(findKeys(`before${form}after`)).toEqual([key])
    expect(findKeys('eqs_'.repeat(100))).toEqual([])
  })
})

describe('A3: a denial does not reveal its reason', () => {
  it('has the same bytes for every reason at every endpoint', async () => {
    expect(DENIAL_REASONS.length).toBe(6)
    for (const { operation, answers } of await listDenials(server.port)) {
      expect([operation, answers]).toEqual([operation, [expect.stringContaining('"status":401')]])
    }
  })
})
