/** Measures deep pages of the change feed, the cost of the change log for a write, and lists of events. */
import { withClient } from '../src/db/connect.ts'
import { LARGE } from './big-world.ts'
import type { BigWorld } from './big-world.ts'
import { judge } from './goals.ts'
import type { GoalName, GoalResult } from './goals.ts'
import { httpGet, httpPost } from './load.ts'
import type { ServiceLoad, ServiceLoader } from './load.ts'
import { totalUs } from './requests.ts'
import { interleave, median, ratioOver } from './rounds.ts'
import { startPlainWriteServer } from './servers.ts'
import type { RunningServer } from './servers.ts'

const DEPTH = 900_000
const PAIR_SECONDS = 0.5
const FOUR_EXPANSIONS = ['location', 'services', 'staff', 'booking'].map((path) => `data.${path}`)

interface Parts {
  world: BigWorld
  service: RunningServer
  load: ServiceLoader
  pairRounds: number
}

export async function measureChanges({ world, service, load, pairRounds }: Parts): Promise<GoalResult[]> {
  await insertChanges(world)
  const plain = await startPlainWriteServer(world.url)
  const [eventId = ''] = await findIds(service, '/api/events?limit=1')
  const body = JSON.stringify({ eventId, description: 'Call the venue about the loading dock' })
  const on = (server: RunningServer, request: string) => () => load.onService(server, [request], PAIR_SECONDS)
  const get = (path: string) => on(service, httpGet(path, LARGE.key))
  const create = httpPost('/api/tasks', LARGE.key, body)
  const compare = async (
    goal: GoalName,
    first: () => Promise<ServiceLoad>,
    second: () => Promise<ServiceLoad>,
  ): Promise<GoalResult> => {
    console.log(`Pairs for ${goal}`)
    const results = await interleave({ first, second }, pairRounds, () => undefined, 2)
    const value = ratioOver(results.first, results.second, (a, b) => totalUs(a) / totalUs(b))
    const [a, b] = [results.first, results.second].map((loads) => median(loads.map(totalUs)).toFixed(0))
    return judge(goal, value, `${a} / ${b} µs; ${pairRounds} pairs`)
  }
  try {
    return [
      await compare(
        'changesDeep',
        get(`/api/changes?limit=100&starting_after=chg_${DEPTH}`),
        get('/api/changes?limit=100'),
      ),
      await compare('recordChanges', on(service, create), on(plain, create)),
      await compare('events', get(`/api/events?expand[]=${FOUR_EXPANSIONS.join(',')}`), get('/api/quotes')),
    ]
  } finally {
    await plain.stop()
  }
}

async function findIds({ port }: RunningServer, path: string): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': LARGE.key } })
  const { data } = (await answer.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

/** Has an effect only in the first run, because the changes stay in the world. */
async function insertChanges({ connection }: BigWorld): Promise<void> {
  await withClient(connection, async (client) => {
    const { rows } = await client.query<{ last: number }>(
      'SELECT last_sequence::integer AS last FROM change_counters WHERE company_id = $1',
      [LARGE.id],
    )
    const last = rows[0]?.last ?? 0
    const goal = DEPTH + 1_000
    if (last >= goal) return
    console.log(`Inserting ${goal - last} changes`)
    const object = { object: 'lead', id: 'lead', name: 'Ada Lindqvist', email: 'ada@example.com' }
    await client.query(
      `INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, data, previous, created_at)
       SELECT $1, n, 'lead.updated', 'lead', 'lead_' || n % 5000, 'system', $2, $3, now()
       FROM generate_series($4::integer, $5::integer) n`,
      [LARGE.id, JSON.stringify({ object }), JSON.stringify({ name: 'Ada' }), last + 1, goal],
    )
    await client.query(
      `UPDATE change_counters SET last_sequence = $2, last_at = now() WHERE company_id = $1`,
      [LARGE.id, goal],
    )
    await client.query('VACUUM ANALYZE changes')
  })
}
