/** What operators and their tools ask: does it live, can it work, what has it done. Outside /api, without a key. */
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { inTime } from '../db/in-time.ts'
import type { Drain } from './drain.ts'
import type { Metrics } from './metrics.ts'

/** The response to a probe, too, comes within two seconds. */
const ANSWER_MAX_MS = 1_000

interface ProbeParts {
  keys: Pool
  isMigrated: () => boolean
  drain?: Drain
}

export function registerProbes(
  app: FastifyInstance,
  { keys, isMigrated, drain }: ProbeParts,
  metrics: Metrics,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  let asking: Promise<unknown> | undefined
  // One question at a time, whoever asks: probes must not use up the connections that keys are looked up with.
  const askDatabase = () => (asking ??= keys.query('SELECT 1').finally(() => (asking = undefined)))

  app.get('/readyz', async (request, reply) => {
    drain?.noteProbe()
    try {
      const answer = await inTime(askDatabase(), ANSWER_MAX_MS)
      if (answer !== undefined && isMigrated() && drain?.hasBegun() !== true) return { status: 'ready' }
    } catch (error) {
      request.log.debug({ err: error }, 'the database does not answer')
    }
    return reply.code(503).send({ status: 'unavailable' })
  })

  app.get('/metrics', async (_, reply) => {
    const { contentType, text } = await metrics.render()
    return reply.type(contentType).send(text)
  })
}
