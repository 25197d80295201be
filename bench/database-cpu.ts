/**
 * `npm run bench -- --database-cpu`: CPU time of the database per request, with one client. `DATABASE_URL` is a database with the demo
 * data; its server, and the workers if it is distributed, run on this machine. Other settings of the service apply as well, so that
 * `DATABASE_POOLER` and `DATABASE_DISTRIBUTED` can be compared (docs/citus.md).
 */
import { withClient } from '../src/db/connect.ts'
import { parentOf, treeCpuMs } from './cpu.ts'
import { median } from './rounds.ts'
import { startService } from './servers.ts'

const KEY = 'eqs_demo_harborlight'
/** The first round is a warm-up. */
const ROUNDS = 6
const REQUESTS = 300

export async function measureDatabaseCpu(databaseUrl: string): Promise<void> {
  const servers = await findServers(databaseUrl)
  const service = await startService(databaseUrl)
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: { 'x-api-key': KEY } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { data: { id: string }[] }
  }
  try {
    const { data } = await read('/api/quotes?limit=100')
    const paths = {
      'get one': data.map(({ id }) => `/api/quotes/${id}`),
      'list 10': ['/api/quotes?limit=10'],
    }
    for (const [name, ofRequest] of Object.entries(paths)) {
      const rounds: number[][] = []
      for (let round = 0; round < ROUNDS; round++) {
        const before = servers.map(treeCpuMs)
        for (let i = 0; i < REQUESTS; i++) await read(ofRequest[i % ofRequest.length] ?? '')
        rounds.push(servers.map((pid, n) => (treeCpuMs(pid) - (before[n] ?? 0)) / REQUESTS))
      }
      print(name, rounds.slice(1))
    }
  } finally {
    await service.stop()
  }
}

/** The main process of each server. The coordinator comes first. */
async function findServers(databaseUrl: string): Promise<number[]> {
  return withClient({ connectionString: databaseUrl }, async (client) => {
    // A permanent process of the server
    const checkpointer = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
    const { rows } = await client.query<{ pid: number }>(checkpointer)
    const citus = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'")
    if (citus.rowCount === 1) {
      const workers = await client.query<{ pid: number }>(
        'SELECT result::integer AS pid FROM run_command_on_workers($1)',
        [checkpointer],
      )
      rows.push(...workers.rows)
    }
    return rows.map(({ pid }) => parentOf(pid))
  })
}

function print(name: string, rounds: number[][]): void {
  const sums = rounds.map((servers) => servers.reduce((sum, ms) => sum + ms, 0))
  const each = rounds[0]?.map((_, n) => median(rounds.map((servers) => servers[n] ?? 0)).toFixed(2))
  const [least, most] = [Math.min(...sums), Math.max(...sums)]
  console.log(
    `${name}: ${least.toFixed(2)} to ${most.toFixed(2)} ms in ${rounds.length} rounds; median of each server: ${each?.join(', ')}`,
  )
}
