/** Webhooks per second to a receiver on this machine. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { median } from './rounds.ts'

const TYPE = 'task.created'
/** A distant time, so that these changes can be recognized and removed. */
const RECORDED_AT = '2001-01-01T00:00:00Z'

interface Options {
  connection: Connection
  companyId: string
  key: string
  port: number
  /** Deliveries per round, each with another subject */
  count: number
  rounds: number
}

/** Returns the median over rounds. The deliveries exist before the measurement starts. */
export async function measureWebhooks(options: Options): Promise<number> {
  const { connection, companyId, port, key, count, rounds } = options
  const receiver = await startReceiver(count)
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/webhook-endpoints${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  await addChanges(connection, companyId, count)
  const { id } = await call('POST', '', { url: receiver.url, types: [TYPE] })
  try {
    const rates: number[] = []
    for (let round = 0; round < rounds; round++) {
      const received = receiver.receiveAll()
      await call('POST', `/${id}/replay`, { since: RECORDED_AT })
      rates.push(count / (await received))
    }
    return median(rates)
  } finally {
    await call('DELETE', `/${id}`)
    await removeChanges(connection, companyId)
    receiver.stop()
  }
}

async function startReceiver(count: number) {
  let left = 0
  let startedAt = 0
  let done: ((seconds: number) => void) | undefined
  const server = createServer((request, response) => {
    if (left === count) startedAt = performance.now()
    left--
    request.resume()
    request.on('end', () => {
      response.writeHead(204).end()
      if (left === 0) done?.((performance.now() - startedAt) / 1_000)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** The seconds between the first and the last request. */
    receiveAll: () => {
      left = count
      return new Promise<number>((resolve) => (done = resolve))
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function addChanges(connection: Connection, companyId: string, count: number): Promise<void> {
  await removeChanges(connection, companyId)
  await withClient(connection, (client) =>
    client.query(
      `WITH counter AS (
         UPDATE change_counters SET last_sequence = last_sequence + $2 WHERE company_id = $1
         RETURNING last_sequence - $2 AS base)
       INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, data, previous, created_at)
       SELECT $1, base + n, '${TYPE}', 'task', 'bench_' || n, 'system', json_build_object('object',
         json_build_object('object', 'task', 'id', 'bench_' || n, 'description', repeat('Confirm the loading dock. ', 20))),
         '{}', '${RECORDED_AT}'
       FROM counter CROSS JOIN generate_series(1, $2::integer) n`,
      [companyId, count],
    ),
  )
}

async function removeChanges(connection: Connection, companyId: string): Promise<void> {
  await withClient(connection, (client) =>
    client.query(`DELETE FROM changes WHERE company_id = $1 AND created_at = '${RECORDED_AT}'`, [companyId]),
  )
}
