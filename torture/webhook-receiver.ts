/** A receiver of webhooks with a configurable response that records accepted deliveries and their order. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'

export type Behavior = 'accept' | 'fail' | 'redirect' | 'disconnect' | 'hang' | 'gone'

export interface WebhookReceiver {
  url: string
  /** All requests. */
  count: () => number
  /** Ids of the changes that got a 2xx response */
  accepted: ReadonlySet<string>
  /** Requests that were sent before an earlier change of the same subject was accepted. Empty if the order is correct. */
  outOfOrder: (history: ReadonlyMap<string, readonly string[]>) => string[]
  mostOpen: () => number
  /** Milliseconds from each change to its first arrival */
  delays: number[]
  lastAt: () => number
}

interface Arrival {
  id: string
  subject: string
  /** Earlier deliveries of the subject that the receiver had accepted */
  before: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** `delayMs` keeps requests open, so that a kill interrupts some. */
export async function startWebhookReceiver(behave: () => Behavior, delayMs = 0): Promise<WebhookReceiver> {
  const accepted = new Set<string>()
  const bySubject = new Map<string, ReadonlySet<string>>()
  const arrivals: Arrival[] = []
  const delays: number[] = []
  const seen = new Set<string>()
  let [open, most, lastAt] = [0, 0, 0]

  const accept = (id: string, subject: string) => {
    accepted.add(id)
    bySubject.set(subject, new Set([...(bySubject.get(subject) ?? NONE), id]))
  }
  const server = createServer((request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
        data: { id: string; createdAt: string; subject: { id: string } }
      }
      const { id, createdAt, subject } = data
      arrivals.push({ id, subject: subject.id, before: bySubject.get(subject.id) ?? NONE })
      if (!seen.has(id)) delays.push(Date.now() - Date.parse(createdAt))
      seen.add(id)
      lastAt = performance.now()
      const behavior = behave()
      setTimeout(() => {
        // The sender was killed.
        if (response.destroyed) return
        if (behavior === 'accept') accept(id, subject.id)
        answer(behavior, response)
      }, delayMs)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => arrivals.length,
    accepted,
    outOfOrder: (history) =>
      arrivals
        .filter(({ id, subject, before }) => {
          const ids = history.get(subject) ?? []
          return ids.slice(0, ids.indexOf(id)).some((earlier) => !before.has(earlier))
        })
        .map(({ id }) => id),
    mostOpen: () => most,
    delays,
    lastAt: () => lastAt,
  }
}

function answer(behavior: Behavior, response: ServerResponse): void {
  if (behavior === 'accept') response.writeHead(204).end()
  else if (behavior === 'fail') response.writeHead(500).end('not now')
  else if (behavior === 'gone') response.writeHead(410).end()
  else if (behavior === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  else if (behavior === 'disconnect') response.destroy()
}
