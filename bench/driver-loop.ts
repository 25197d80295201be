/** Replaces pgbench if it is not installed: sends the statements through the driver in a loop. */
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import type { SentStatement } from './sent-statements.ts'

export interface LoopJob {
  connection: ClientConfig
  statements: readonly SentStatement[]
  seconds: number
}

export interface LoopResult {
  transactions: number
  /** CPU time of this process */
  cpuUs: number
}

const CLIENTS = 2

async function run({ connection, statements, seconds }: LoopJob): Promise<LoopResult> {
  const clients = Array.from({ length: CLIENTS }, () => new Client(connection))
  await Promise.all(clients.map((client) => client.connect()))
  const deadline = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  let transactions = 0
  const work = async (client: Client): Promise<void> => {
    while (performance.now() < deadline) {
      for (const [i, { text, values }] of statements.entries()) {
        await client.query({ name: `s${i}`, text, values: values.map(draw), rowMode: 'array' })
      }
      transactions++
    }
  }
  await Promise.all(clients.map(work))
  const { user, system } = process.cpuUsage(before)
  await Promise.all(clients.map((client) => client.end()))
  return { transactions, cpuUs: user + system }
}

/** Replaces `quote_{20 * random(500, 4999) + 1}` like pgbench. */
function draw(value: string): string {
  const [, prefix, factor, least, most, summand] =
    /^(\w*)\{(\d+) \* random\((\d+), (\d+)\) \+ (\d+)\}$/.exec(value) ?? []
  if (prefix === undefined) return value
  const random = Number(least) + Math.floor(Math.random() * (Number(most) - Number(least) + 1))
  return `${prefix}${Number(factor) * random + Number(summand)}`
}

process.on('message', (job: LoopJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
