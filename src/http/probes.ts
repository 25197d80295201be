/** Liveness, readiness and metrics for operators. Outside /api, without a key. */
import type { FastifyInstance } from 'fastify'
import { inTime } from '../db/in-time.ts'
import { sql } from '../db/sql.ts'
import { run } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'
import type { Drain } from './drain.ts'
import type { Metrics } from './metrics.ts'

/** Probes also respond within two seconds. */
const ANSWER_MAX_MS = 1_000

interface ProbeParts {
  keys: Db
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
  // One database check at a time: probes must not use up the connections for key lookups.
  const askDatabase = () => (asking ??= run(keys, sql`SELECT 1`).finally(() => (asking = undefined)))

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
