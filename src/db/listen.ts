/** A dedicated connection that receives the notifications of one channel, and reconnects when it is lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from './connect.ts'
import type { Connection } from './connect.ts'
import { identifier, sql } from './sql.ts'
import { run } from './statement.ts'

export interface ListenOptions {
  connection: Connection
  channel: string
  onMessage: (payload: string) => void
  /** Called whenever the connection is established: notifications sent before were not received. */
  onConnected: () => void
  onError: (error: unknown) => void
}

const RETRY_MS = 1_000

/** Returns a function that stops it. */
export function listen({
  connection,
  channel,
  onMessage,
  onConnected,
  onError,
}: ListenOptions): () => Promise<void> {
  const stopping = new AbortController()
  const listenOnce = async () => {
    const client = await openClient(connection)
    try {
      const lost = new Promise<void>((resolve) => {
        client.on('end', resolve)
        stopping.signal.addEventListener('abort', () => resolve())
      })
      client.on('notification', ({ payload }) => onMessage(payload ?? ''))
      await run(client, sql`LISTEN ${identifier(channel)}`)
      onConnected()
      if (!stopping.signal.aborted) await lost
    } finally {
      await client.end()
    }
  }
  const keepListening = async () => {
    while (!stopping.signal.aborted) {
      await listenOnce().catch(onError)
      await sleep(RETRY_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
    }
  }
  const listening = keepListening()
  return async () => {
    stopping.abort()
    await listening
  }
}
