/** An HTTP server that receives webhooks, with configurable responses. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { atEnd } from './at-end.ts'

export interface Received {
  id: string
  path: string
  headers: IncomingHttpHeaders
  text: string
  type: string
  /** From the change in the body */
  subjectId: string
  sequence: number
}

export interface Receiver {
  port: number
  url: string
  /** In the order of arrival. */
  received: Received[]
  /** The maximum number of concurrent requests */
  mostOpen: () => number
}

type Answer = number | ((request: Received, response: ServerResponse) => void)

/** `answer` returns a status, or a function that sends the response. */
export async function startReceiver(answer: (request: Received) => Answer = () => 200): Promise<Receiver> {
  const received: Received[] = []
  let [open, most] = [0, 0]
  const server = createServer((request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { type, data } = JSON.parse(text) as {
        type: string
        data: { sequence: number; subject?: { id: string } }
      }
      const { headers, url: path = '' } = request
      const id = String(headers['webhook-id'])
      const one = {
        id,
        path,
        headers,
        text,
        type,
        subjectId: data.subject?.id ?? '',
        sequence: data.sequence,
      }
      received.push(one)
      const how = answer(one)
      if (typeof how === 'number') response.writeHead(how).end()
      else how(one, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { port, url: `http://127.0.0.1:${port}/hook`, received, mostOpen: () => most }
}

/** Throws if none of its signatures is valid. */
export function verify({ text, headers }: Received, secret: string): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>)
}
