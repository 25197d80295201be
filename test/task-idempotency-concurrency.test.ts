import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/db/connect.ts'
import { waitUntilBlocked } from './support/blocked.ts'
import { connectionUrl } from './support/connections.ts'
import { TASK_PATH, postTask } from './support/older.ts'
import { startCommand } from './support/process.ts'
import { KEY } from './support/quotes.ts'
import { startServer } from './support/server.ts'
import { bodyFor, createIdempotencyApi, expectFirst } from './support/task-idempotency.ts'

const { pool, connection, server, newKey, create, countTasks } = await createIdempotencyApi()

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
      await waitUntilBlocked(pool)
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
      // A slow machine can reject some of a hundred concurrent requests.
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
