import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { connectionUrl } from '../../test/support/connections.ts'
import { TASK_PATH } from '../../test/support/older.ts'
import { startCommand } from '../../test/support/process.ts'
import { KEY } from '../../test/support/quotes.ts'
import { bodyFor, createIdempotencyApi } from '../../test/support/task-idempotency.ts'

const { pool, connection, newKey } = await createIdempotencyApi()

describe('L5: a killed server', () => {
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

  /** Null if the connection was lost. */
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

  it('has one task for each of 100 keys after a restart and retries', { timeout: 180_000 }, async () => {
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
