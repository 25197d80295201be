/** The process that makes the load: requests over kept connections, each sent when the one before is answered. */
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface LoadJob {
  port: number
  /** Whole requests as they go over the wire; they are taken in turn. */
  requests: string[]
  connections: number
  durationMs: number
}

export interface LoadResult {
  requests: number
  /** Answers with another status than 2xx. */
  failed: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
}

async function run({ port, requests, connections, durationMs }: LoadJob): Promise<LoadResult> {
  const latencies: number[] = []
  let failed = 0
  let turn = 0
  const startedAt = performance.now()
  const deadline = startedAt + durationMs
  const work = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const answers = readAnswers(socket)
    while (performance.now() < deadline) {
      const sentAt = performance.now()
      socket.write(requests[turn++ % requests.length] ?? '')
      if (!(await answers.next())) failed++
      latencies.push(performance.now() - sentAt)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - startedAt) / 1000
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    requests: latencies.length,
    failed,
    requestsPerSecond: latencies.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}

/** `next` resolves when the next answer has arrived whole: to whether its status was 2xx. */
function readAnswers(socket: Socket): { next: () => Promise<boolean> } {
  let resolve: ((isGood: boolean) => void) | null = null
  let reject: ((error: Error) => void) | null = null
  let head: Buffer = Buffer.alloc(0)
  let bodyLeft = -1
  let isGood = false
  socket.on('error', (error) => reject?.(error))
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk
    if (bodyLeft < 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const text = head.toString('latin1', 0, end)
      isGood = text.startsWith('HTTP/1.1 2')
      bodyLeft = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      rest = head.subarray(end + 4)
      head = Buffer.alloc(0)
    }
    bodyLeft -= rest.length
    if (bodyLeft > 0) return
    bodyLeft = -1
    resolve?.(isGood)
  })
  return {
    next: () =>
      new Promise((good, bad) => {
        resolve = good
        reject = bad
      }),
  }
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
