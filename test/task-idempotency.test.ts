import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { runOnce } from '../src/actions/idempotency.ts'
import { connectionUrl } from './support/connections.ts'
import { TASK_PATH, createOlderApi, postTask, taskOf } from './support/older.ts'
import { startCommand } from './support/process.ts'
import { KEY, OTHER_KEY, plant } from './support/quotes.ts'
import { insertKey } from './support/records.ts'
import { startServer } from './support/server.ts'
import type { Answer } from './support/server.ts'

const { pool, connection, server } = await createOlderApi()
await plant(pool, 'events', 'co_1', 'ev_1')
await plant(pool, 'events', 'co_2', 'ev_1')

type SentHeaders = Parameters<typeof postTask>[2]

let lastKey = 0
/** A key that no other test has. */
const newKey = () => `key-${++lastKey}`

const bodyFor = (description: string) => ({ eventId: 'ev_1', description })
const create = (key: string | string[], body: unknown, headers: SentHeaders = {}) =>
  postTask(server, body, { 'idempotency-key': key, ...headers })

async function countTasks(description: string): Promise<number> {
  const { rows } = await pool.query<{ n: string }>('SELECT count(*) AS n FROM tasks WHERE description = $1', [
    description,
  ])
  return Number(rows[0]?.n)
}

async function recordsOf(key: string): Promise<{ company: string; age: string }[]> {
  const { rows } = await pool.query<{ company: string; age: string }>(
    `SELECT company_id AS company, extract(epoch FROM now() - created_at)::text AS age
    FROM idempotency_records WHERE key = $1 ORDER BY company_id`,
    [key],
  )
  return rows
}

const makeOlder = (key: string, interval: string) =>
  pool.query('UPDATE idempotency_records SET created_at = created_at - $2::interval WHERE key = $1', [
    key,
    interval,
  ])

const anError = { error: expect.any(String) as unknown }

function expectReplay(answer: Answer, first: Answer): void {
  expect(answer.status).toBe(201)
  expect(answer.text).toBe(first.text)
  expect(answer.headers['idempotent-replayed']).toBe('true')
  expect(answer.headers['content-type']).toBe(first.headers['content-type'])
}

function expectFirst(answer: Answer): void {
  expect(answer.status, answer.text).toBe(201)
  expect(answer.headers['idempotent-replayed']).toBeUndefined()
}

describe('L5: same key and same body', () => {
  it('the first answer again, byte for byte, marked as replayed, and no second task', async () => {
    const key = newKey()
    const body = { ...bodyFor('Order ice ☃ "quoted" 😀\n'), dueDate: '2026-05-01T09:30:00.9999+02:00' }
    const first = await create(key, body)
    expectFirst(first)
    await sleep(5)
    for (let i = 0; i < 3; i++) expectReplay(await create(key, body), first)
    expect(await countTasks(body.description)).toBe(1)
  })

  it('texts of every kind are replayed byte for byte', async () => {
    for (const description of ['\u0001\u2028\u{1F600}', '\ufffe', '\\u0000', '__proto__', '"', '1e5 1.0']) {
      const key = newKey()
      const first = await create(key, bodyFor(description))
      expectFirst(first)
      expectReplay(await create(key, bodyFor(description)), first)
    }
  })

  it('is kept by the company, not by the process or the key that was used', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Kept by the company'))
    const second = await startServer(connection)
    await insertKey(pool, 'co_1', 'another-key-of-the-first')
    const headers = { 'idempotency-key': key, 'x-api-key': 'another-key-of-the-first' }
    expectReplay(await postTask(second, bodyFor('Kept by the company'), headers), first)
  })

  it('also when the event is gone by then', async () => {
    await plant(pool, 'events', 'co_1', 'ev_passing')
    const key = newKey()
    const body = { eventId: 'ev_passing', description: 'Passing' }
    const first = await create(key, body)
    await pool.query(`DELETE FROM tasks WHERE event_id = 'ev_passing'`)
    await pool.query(`DELETE FROM events WHERE id = 'ev_passing'`)
    expectReplay(await create(key, body), first)
  })

  it('a key is a text of its own: case counts, and other keys are free', async () => {
    const answers = [
      await create('Case', bodyFor('Case')),
      await create('case', bodyFor('Case')),
      await create('case1', bodyFor('Case')),
    ]
    for (const answer of answers) expectFirst(answer)
    expect(await countTasks('Case')).toBe(3)
  })

  it('another content type of the same meaning is the same request', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Same meaning'))
    const type = 'application/json; charset=UTF-8'
    expectReplay(await create(key, bodyFor('Same meaning'), { 'content-type': type }), first)
  })
})

describe('L5: same key and another body', () => {
  it('is 409 in the shape of the endpoint, and makes no task', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('The first'))
    const answer = await create(key, bodyFor('The second'))
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual(anError)
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
    expect(await countTasks('The second')).toBe(0)
    // The first still stands.
    expectReplay(await create(key, bodyFor('The first')), first)
  })

  it.each([
    ['a blank more', '{"eventId":"ev_1", "description":"Bytes"}'],
    ['members the other way round', '{"description":"Bytes","eventId":"ev_1"}'],
    ['a member more', '{"eventId":"ev_1","description":"Bytes","x":1}'],
    ['dueDate null', '{"eventId":"ev_1","description":"Bytes","dueDate":null}'],
    ['a letter escaped', String.raw`{"eventId":"ev_1","description":"\u0042ytes"}`],
    ['a line break behind', '{"eventId":"ev_1","description":"Bytes"}\n'],
    ['another event, that does not exist', '{"eventId":"ev_2","description":"Bytes"}'],
  ])('means byte for byte: %s', async (_why, other) => {
    const key = newKey()
    expectFirst(await create(key, '{"eventId":"ev_1","description":"Bytes"}'))
    expect((await create(key, other)).status).toBe(409)
  })

  it('a wrong body is told as such: 400 before 409', async () => {
    const key = newKey()
    expectFirst(await create(key, bodyFor('Right')))
    expect((await create(key, { eventId: 'ev_1' })).status).toBe(400)
  })
})

describe('L5: per company', () => {
  it('two companies use one key without noticing each other', async () => {
    const key = newKey()
    const mine = await create(key, bodyFor('Per company'))
    const theirs = await create(key, bodyFor('Per company'), { 'x-api-key': OTHER_KEY })
    expectFirst(mine)
    expectFirst(theirs)
    expect(taskOf(mine).id).not.toBe(taskOf(theirs).id)
    const otherBody = await create(newKey(), bodyFor('x'), { 'x-api-key': OTHER_KEY })
    expectFirst(otherBody)
    expectReplay(await create(key, bodyFor('Per company')), mine)
    expectReplay(await create(key, bodyFor('Per company'), { 'x-api-key': OTHER_KEY }), theirs)
    expect((await recordsOf(key)).map(({ company }) => company)).toEqual(['co_1', 'co_2'])
  })
})

describe('L5: at once', () => {
  it.each([2, 10, 40])('%i equal requests give one task and equal answers', async (count) => {
    const key = newKey()
    const body = bodyFor(`At once ${count}`)
    const answers = await Promise.all(Array.from({ length: count }, () => create(key, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const originals = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)
    expect(originals).toHaveLength(1)
    expect(await countTasks(body.description)).toBe(1)
  })

  it('equal requests at two servers give one task', async () => {
    const second = await startServer(connection)
    const key = newKey()
    const body = bodyFor('Two servers')
    const answers = await Promise.all(
      [server, second, server, second, server, second].map((one) =>
        postTask(one, body, { 'idempotency-key': key }),
      ),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await countTasks('Two servers')).toBe(1)
  })

  it('different bodies: one is 201, the rest 409', async () => {
    const key = newKey()
    const bodies = Array.from({ length: 8 }, (_, i) => bodyFor(`Different ${i}`))
    const answers = await Promise.all(bodies.map((body) => create(key, body)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(7).fill(409),
    ])
    const { rows } = await pool.query(`SELECT 1 FROM tasks WHERE description LIKE 'Different %'`)
    expect(rows).toHaveLength(1)
  })

  it('one that waits for another takes over when that comes to nothing', async () => {
    const key = newKey()
    const body = bodyFor('Contested')
    // The first, held in the middle of its work.
    await withClient(connection, async (client) => {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ('co_1', $1, 'other')`,
        [key],
      )
      const waiting = create(key, body)
      await sleep(100)
      expect(await countTasks('Contested')).toBe(0)
      await client.query('ROLLBACK')
      expectFirst(await waiting)
    })
    expect(await countTasks('Contested')).toBe(1)
  })

  it('different keys do not wait for each other', async () => {
    await withClient(connection, async (client) => {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO idempotency_records (company_id, key, body_hash) VALUES ('co_1', 'held', 'hash')`,
      )
      expectFirst(await create(newKey(), bodyFor('Not held up')))
      await client.query('ROLLBACK')
    })
  })
})

describe('L5: only a 201 is kept', () => {
  it('after 404 the key is free, with the same body and with another', async () => {
    const key = newKey()
    const body = { eventId: 'ev_later', description: 'Later' }
    expect((await create(key, body)).status).toBe(404)
    expect((await create(key, body)).status).toBe(404)
    expect(await recordsOf(key)).toEqual([])
    await plant(pool, 'events', 'co_1', 'ev_later')
    const first = await create(key, body)
    expectFirst(first)
    expectReplay(await create(key, body), first)

    const another = newKey()
    expect((await create(another, { eventId: 'ev_nowhere', description: 'x' })).status).toBe(404)
    expectFirst(await create(another, bodyFor('Another')))
  })

  it('after 400 the key is free', async () => {
    const key = newKey()
    expect((await create(key, { eventId: 'ev_1' })).status).toBe(400)
    expect((await create(key, '{')).status).toBe(400)
    expectFirst(await create(key, bodyFor('After 400')))
  })

  it('after 401 and 413 the key is free', async () => {
    const key = newKey()
    expect((await create(key, bodyFor('x'), { 'x-api-key': 'key-nobody-has' })).status).toBe(401)
    expect((await create(key, 'x'.repeat(300_000))).status).toBe(413)
    expectFirst(await create(key, bodyFor('After 413')))
  })

  it('after 500 the key is free, and nothing is half done', async () => {
    await pool.query(`ALTER TABLE tasks ADD CONSTRAINT no_trouble CHECK (description <> 'Trouble')`)
    const key = newKey()
    const answer = await create(key, bodyFor('Trouble'))
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual(anError)
    expect(await recordsOf(key)).toEqual([])
    await pool.query('ALTER TABLE tasks DROP CONSTRAINT no_trouble')
    const first = await create(key, bodyFor('Trouble'))
    expectFirst(first)
    expectReplay(await create(key, bodyFor('Trouble')), first)
    expect(await countTasks('Trouble')).toBe(1)
  })

  it('where the answer cannot be kept there is no task either', async () => {
    await pool.query(
      'ALTER TABLE idempotency_records ADD CONSTRAINT no_answer CHECK (answer IS NULL) NOT VALID',
    )
    const answer = await create(newKey(), bodyFor('Not kept'))
    await pool.query('ALTER TABLE idempotency_records DROP CONSTRAINT no_answer')
    expect(answer.status).toBe(500)
    expect(await countTasks('Not kept')).toBe(0)
  })
})

describe('L5: a key that breaks the rule', () => {
  const offending = {
    error: expect.any(String) as unknown,
    details: { 'idempotency-key': { _errors: [expect.stringContaining('idempotency-key')] } },
  }

  it.each<[why: string, key: string | string[]]>([
    ['empty', ''],
    ['only blanks', '   '],
    ['a blank inside', 'a b'],
    ['a tab inside', 'a\tb'],
    ['256 characters', 'k'.repeat(256)],
    ['5,000 characters', 'k'.repeat(5000)],
    ['Latin letters beyond ASCII', 'schlüssel'],
    ['a no-break space', 'a\u00a0b'],
    ['a byte beyond ASCII', 'a\u00ffb'],
    ['two', ['a', 'b']],
    ['two that are equal', ['a', 'a']],
  ])('%s is 400 with the member idempotency-key', async (_why, key) => {
    const answer = await create(key, bodyFor('Broken rule'))
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body).toEqual(offending)
    expect((answer.body as { error: string }).error).not.toContain('body')
    expect(await countTasks('Broken rule')).toBe(0)
  })

  it('is told together with what is wrong in the body', async () => {
    const answer = await create('a b', { eventId: 'ev_1', description: '' })
    expect(answer.status).toBe(400)
    expect(Object.keys((answer.body as { details: object }).details).toSorted()).toEqual([
      'description',
      'idempotency-key',
    ])
    const noObject = await create('a b', '[]')
    expect(Object.keys((noObject.body as { details: object }).details).toSorted()).toEqual([
      'body',
      'idempotency-key',
    ])
  })

  it.each([
    ['one character', '!'],
    ['255 characters', '~'.repeat(255)],
    [
      'every visible ASCII character',
      Array.from({ length: 94 }, (_, i) => String.fromCodePoint(33 + i)).join(''),
    ],
    ['a UUID', '018f4e1c-7b1a-7c3e-9a51-2f0d8b6a4c11'],
  ])('%s is a key', async (_why, key) => {
    const first = await create(key, bodyFor('A good key'))
    expectFirst(first)
    expectReplay(await create(key, bodyFor('A good key')), first)
  })

  it('the header is named in any case', async () => {
    const key = newKey()
    const headers = { 'Idempotency-Key': key }
    const first = await postTask(server, bodyFor('Any case'), headers)
    expectReplay(await create(key, bodyFor('Any case')), first)
  })
})

describe('L5: kept 24 hours', () => {
  it('shortly before, the answer is replayed', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Before'))
    await makeOlder(key, '23 hours 59 minutes')
    expectReplay(await create(key, bodyFor('Before')), first)
    expect((await create(key, bodyFor('Before, another'))).status).toBe(409)
    expect(await countTasks('Before')).toBe(1)
  })

  it('afterwards the key is free again, for the same body and for another', async () => {
    for (const second of ['After', 'After, another']) {
      const key = newKey()
      const first = await create(key, bodyFor('After'))
      await makeOlder(key, '24 hours 1 second')
      const again = await create(key, bodyFor(second))
      expectFirst(again)
      expect(taskOf(again).id).not.toBe(taskOf(first).id)
      // And it is kept anew, for 24 hours from then.
      const [record] = await recordsOf(key)
      expect(Number(record?.age)).toBeLessThan(60)
      expectReplay(await create(key, bodyFor(second)), again)
    }
  })

  it('the records of a company that are past it are removed with its next use of a key', async () => {
    const [old, recent, foreign] = [newKey(), newKey(), newKey()]
    await create(old, bodyFor('x'))
    await create(recent, bodyFor('x'))
    await create(foreign, bodyFor('x'), { 'x-api-key': OTHER_KEY })
    await makeOlder(old, '25 hours')
    await makeOlder(recent, '23 hours')
    await makeOlder(foreign, '25 hours')
    await create(newKey(), bodyFor('x'))
    expect(await recordsOf(old)).toEqual([])
    expect(await recordsOf(recent)).toHaveLength(1)
    await create(newKey(), bodyFor('x'), { 'x-api-key': OTHER_KEY })
    expect(await recordsOf(foreign)).toEqual([])
  })

  it('ten equal requests at once on a key that is past it give one new task', async () => {
    const key = newKey()
    const first = await create(key, bodyFor('Past it'))
    await makeOlder(key, '25 hours')
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(key, bodyFor('Past it'))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.text).not.toBe(first.text)
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect(await countTasks('Past it')).toBe(2)
  })

  it('many requests at once beside many records past it all succeed', async () => {
    const keys = Array.from({ length: 60 }, newKey)
    await Promise.all(keys.map((key) => create(key, bodyFor('Crowd'))))
    for (const [i, key] of keys.entries()) await makeOlder(key, `${25 + ((i * 37) % 60)} hours`)
    const answers = await Promise.all(keys.map((key) => create(key, bodyFor('Crowd'))))
    for (const answer of answers) expectFirst(answer)
    expect(await countTasks('Crowd')).toBe(120)
  })

  it('a record that comes of age while it is read does no harm', async () => {
    const record = { key: newKey(), bodyHash: 'hash' }
    const done = await runOnce(pool, 'co_1', record, async () => ({ n: 1 }))
    expect(done).toEqual({ kind: 'done', answer: { n: 1 } })
    // Between the attempt to claim the key and the look at its record, the record goes.
    const meddling = {
      connect: async () => {
        const client = await pool.connect()
        const query = client.query.bind(client) as (statement: unknown) => Promise<unknown>
        const meddle = async (statement: { text?: string }) => {
          const result = await query(statement)
          if (statement.text?.includes('ON CONFLICT') === true)
            await pool.query('DELETE FROM idempotency_records WHERE key = $1', [record.key])
          return result
        }
        const release = client.release.bind(client)
        return { query: meddle, release } as unknown as PoolClient
      },
    } as unknown as Pool
    const again = await runOnce(meddling, 'co_1', record, async () => ({ n: 2 }))
    expect(again).toEqual({ kind: 'done', answer: { n: 2 } })
  })
})

describe('L5: a server that dies', () => {
  const settings = {
    DATABASE_URL: connectionUrl(connection),
    APP_SECRET: 'a secret of thirty-two characters',
    PORT: '0',
    LOG_LEVEL: 'error',
  }

  async function start() {
    const command = startCommand(['serve'], settings)
    const [, url = ''] = await command.waitFor(/API at (http:\/\/\S+)\/api/)
    return { command, url }
  }

  /** The answer; null when there was none. */
  async function send(url: string, key: string): Promise<{ status: number; text: string } | null> {
    try {
      const response = await fetch(`${url}${TASK_PATH}`, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(bodyFor(`Survives ${key}`)),
      })
      const answer = { status: response.status, text: await response.text() }
      // A hundred at once may be more than a slow machine takes: then it says so.
      if (answer.status !== 503) return answer
      await sleep(200)
      return await send(url, key)
    } catch {
      return null
    }
  }

  it('killed in the middle of 100 creations, restarted, each retried: every key has exactly one task', async () => {
    const keys = Array.from({ length: 100 }, newKey)
    const first = await start()
    const acknowledged = new Map<string, string>()
    const waiting = [...keys]
    // Ten at a time, so that some are always under way, and not all are over before the end comes.
    const client = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        const answer = await send(first.url, key)
        if (answer === null) return
        expect(answer.status, answer.text).toBe(201)
        acknowledged.set(key, answer.text)
        if (acknowledged.size === 40) first.command.kill('SIGKILL')
        if (acknowledged.size >= 40) return
      }
    }
    await Promise.all(Array.from({ length: 10 }, client))
    expect(await first.command.ended).toBe('SIGKILL')
    expect(acknowledged.size).toBeGreaterThanOrEqual(40)
    expect(acknowledged.size).toBeLessThan(100)

    const second = await start()
    const answers = new Map<string, string>()
    await Promise.all(
      keys.map(async (key) => {
        const answer = await send(second.url, key)
        expect(answer?.status, answer?.text).toBe(201)
        answers.set(key, answer?.text ?? '')
      }),
    )
    second.command.kill('SIGTERM')
    expect(await second.command.ended).toBe(0)

    for (const [key, text] of acknowledged) expect(answers.get(key)).toBe(text)
    const { rows } = await pool.query<{ id: string; description: string }>(
      `SELECT id, description FROM tasks WHERE description LIKE 'Survives %'`,
    )
    const stored = new Map(rows.map(({ id, description }) => [description, id]))
    expect(rows).toHaveLength(100)
    expect(stored.size).toBe(100)
    for (const [key, text] of answers) {
      const { task } = JSON.parse(text) as { task: { id: string; description: string } }
      expect(task.description).toBe(`Survives ${key}`)
      expect(stored.get(task.description)).toBe(task.id)
    }
  })
})
