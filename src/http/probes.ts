/** Liveness, readiness and metrics for operators. Outside /api, without a key. */
import type { FastifyInstance } from 'fastify'
import { isDistributed } from '../db/distributed.ts'
import { inTime } from '../db/in-time.ts'
import { sql } from '../db/sql.ts'
import { run } from '../db/statement.ts'
import type { Db } from '../db/statement.ts'
import { areWorkersUp } from '../db/workers.ts'
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

  let askingWorkers: Promise<boolean> | undefined
  const askWorkers = () =>
    (askingWorkers ??= areWorkersUp(keys)
      .catch(() => false)
      .finally(() => (askingWorkers = undefined)))
  /** While a worker is lost, the process serves the companies of the others. */
  const findStatus = async () => {
    if (!isDistributed(keys)) return 'ready'
    return (await inTime(askWorkers(), ANSWER_MAX_MS)) === true ? 'ready' : 'degraded'
  }

  app.get('/readyz', async (request, reply) => {
    drain?.noteProbe()
    try {
      const answer = await inTime(askDatabase(), ANSWER_MAX_MS)
      if (answer !== undefined && isMigrated() && drain?.hasBegun() !== true)
        return { status: await findStatus() }
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
