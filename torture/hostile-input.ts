/** Invalid and random requests to a real process: no 5xx, and every error has the shape of its endpoint. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DEMO_KEYS } from '../src/world/demo/demo-world.ts'
import { fuzz } from '../test/support/any-request.ts'
import { badRequestError, badRequests } from '../test/support/bad-requests.ts'
import { freePort, spawnCommand } from '../test/support/command.ts'
import { sendRaw } from '../test/support/raw.ts'
import type { Figure, Item, Settings } from './item.ts'

const [{ key: KEY }] = DEMO_KEYS

export const hostileInput: Item = {
  name: 'hostile-input',
  title: 'Hostile input',
  run: async ({ seed, quick, folder }: Settings) => {
    const port = await freePort()
    const settings = { DATA_DIR: join(folder, 'hostile-input'), PORT: String(port) }
    const serving = spawnCommand(['serve', '--demo'], settings)
    try {
      await serving.waitFor(/Try it/)
      const figures = [
        ...(await tableFigures(port)),
        ...(await fuzzFigures(port, { requests: quick ? 2_000 : 20_000, seed })),
      ]
      serving.kill('SIGTERM')
      const status = await serving.ended
      return [...figures, ...logFigures(serving.stderr(), status)]
    } finally {
      serving.kill('SIGKILL')
      await serving.ended
    }
  },
}

async function tableFigures(port: number): Promise<Figure[]> {
  const table = badRequests(KEY)
  const wrong: string[] = []
  for (const { what, bytes, expected } of table) {
    const error = badRequestError(await sendRaw(port, bytes))
    if (!isDeepStrictEqual(error, expected)) wrong.push(what)
  }
  return [
    {
      name: 'bad requests in the table',
      value: table.length,
      goal: 'at least 120',
      pass: table.length >= 120,
    },
    noneOf('with another status or shape than expected', wrong),
  ]
}

async function fuzzFigures(port: number, options: { requests: number; seed: number }): Promise<Figure[]> {
  const { requests, statuses, problem } = await fuzz(port, KEY, options)
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return [
    {
      name: 'random requests',
      value: requests,
      goal: String(options.requests),
      pass: requests >= options.requests,
      detail: counts.join(', '),
    },
    noneOf('with a 5xx or another shape', problem === null ? [] : [problem]),
  ]
}

function logFigures(log: string, status: number | NodeJS.Signals): Figure[] {
  const lines = log.split('\n').filter((line) => line !== '')
  const failures = lines.filter((line) => /"level":"?(error|fatal|50|60)\b/.test(line))
  return [
    noneOf('lines of the log with a failure', failures),
    { name: 'exit status at the end', value: status, goal: '0', pass: status === 0 },
  ]
}

function noneOf(name: string, found: readonly string[]): Figure {
  const [first] = found
  return {
    name,
    value: found.length,
    goal: '0',
    pass: found.length === 0,
    ...(first === undefined ? {} : { detail: first }),
  }
}
