/** Compares responses to one company before and after another company gets data with the same ids. */
import { join } from 'node:path'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { freePort, spawnCommand } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { isolationRequests, randomRequests } from '../test/support/isolation-requests.ts'
import type { IsolationRequest } from '../test/support/isolation-requests.ts'
import {
  LEAK,
  OURS,
  REFERENCE_COLUMNS,
  recordsOfOurs,
  recordsOfTheirs,
} from '../test/support/two-companies.ts'
import { importValid } from '../test/support/world.ts'
import type { Figure, Item, Settings } from './item.ts'
import { createRandom } from './random.ts'

export const isolation: Item = {
  name: 'isolation',
  title: 'Isolation of companies',
  run: async ({ seed, quick, folder }: Settings) => {
    const database = await startEmbedded(join(folder, 'isolation'))
    const port = await freePort()
    const serving = spawnCommand(['serve'], {
      DATABASE_URL: connectionUrl(database.connection),
      APP_SECRET: 'a secret of thirty-two characters',
      PORT: String(port),
    })
    try {
      await serving.waitFor(/API at/)
      return await compareAnswers(
        database.connection,
        port,
        createRandom(seed).fraction,
        quick ? 1_000 : 10_000,
      )
    } finally {
      serving.kill('SIGKILL')
      await serving.ended
      await database.stop()
    }
  },
}

async function compareAnswers(
  connection: Connection,
  port: number,
  random: () => number,
  count: number,
): Promise<Figure[]> {
  const records = [...recordsOfOurs(), ...recordsOfTheirs()]
  const reads = isolationRequests(records, true).filter(({ method }) => method === 'GET')
  const requests = [...reads, ...randomRequests(records, random, count)]
  await importValid(connection, recordsOfOurs())
  const before = await askAll(port, requests)
  await importValid(connection, recordsOfTheirs())
  const after = await askAll(port, requests)
  const changed = requests.filter((_, i) => before[i] !== after[i])
  const leaks = requests.filter((_, i) => LEAK.test(after[i] ?? ''))
  const found = after.filter((answer) => answer.startsWith('200') && !answer.includes('"data":[]')).length
  return [
    await columnFigure(connection),
    {
      name: 'requests, before and after',
      value: requests.length,
      goal: `at least ${count}`,
      pass: requests.length >= count && found > requests.length / 20,
      detail: `${found} returned records`,
    },
    noneOf('responses that changed with the data of the other company', changed),
    noneOf('responses with an id or a value of the other company', leaks),
  ]
}

/**
 * Compares with the columns of the database, without ownership, which cannot point to another company, derived data, changes, and tables
 * of the console, whose calls test/console-isolation.test.ts checks.
 */
async function columnFigure(connection: Connection): Promise<Figure> {
  const { planted, owners } = REFERENCE_COLUMNS
  const { rows } = await withClient(connection, (client) =>
    client.query<{ name: string }>(`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name ~ '_ids?$' AND column_name <> 'company_id'
        AND table_name NOT IN ('event_assignments', 'quote_stretches')
        AND table_name NOT IN ('sessions', 'api_key_uses', 'request_log', 'changes', 'audit_entries', 'webhook_deliveries')`),
  )
  const known = new Set([...planted, ...owners])
  const missing = rows.filter(({ name }) => !known.has(name))
  const goal = rows.length - owners.length
  return {
    name: 'reference columns with a foreign id',
    value: planted.length,
    goal: String(goal),
    pass: missing.length === 0 && planted.length === goal,
  }
}

function noneOf(name: string, requests: readonly IsolationRequest[]): Figure {
  const [first] = requests
  const detail = first === undefined ? {} : { detail: first.path }
  return { name, value: requests.length, goal: '0', pass: requests.length === 0, ...detail }
}

/** Four at a time. Returns status, body, and headers without date and request id. */
async function askAll(port: number, requests: readonly IsolationRequest[]): Promise<string[]> {
  const answers: string[] = []
  let next = 0
  const work = async () => {
    for (let i = next++; i < requests.length; i = next++) {
      const answer = await fetch(`http://127.0.0.1:${port}${requests[i]?.path}`, {
        headers: { 'x-api-key': OURS.key },
      })
      const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
      answers[i] = `${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return answers
}
