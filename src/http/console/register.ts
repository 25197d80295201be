/** The application's own part of the server: who is calling, what was sent, the answer. Its pages are in `pages.ts`. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ApiError } from '../../core/errors.ts'
import type { QueryPairs } from '../../core/query.ts'
import type { SignedInUser } from '../../db/sessions.ts'
import type { Presentation } from '../../objects/presentation.ts'
import { createAdmission } from '../admission.ts'
import type { Admission } from '../admission.ts'
import { createGuesses } from './guesses.ts'
import type { Guesses } from './guesses.ts'
import { readInput } from './input.ts'
import type { ConsoleRoute } from './route.ts'
import { CONSOLE_ROUTES } from './routes.ts'
import { createSessions, refuseOtherSites } from './session.ts'
import type { Sessions } from './session.ts'
import { registerSignIn } from './sign-in.ts'

export interface ConsoleParts {
  db: Pool
  reports: Pool
  appSecrets: readonly [string, ...string[]]
  publicUrl: () => string
  addressOf: (request: FastifyRequest) => string | null
  invoiceUrl: Presentation['invoiceUrl']
}

export function registerConsole(app: FastifyInstance, parts: ConsoleParts): void {
  const sessions = createSessions(parts.db, parts.appSecrets, parts.publicUrl)
  const guesses = createGuesses(parts.db)
  // Places of its own: calls that wait for its connections must not keep the API's from theirs.
  const admission = createAdmission(parts.db.options.max + parts.reports.options.max)
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.setErrorHandler((error) => {
      throw isBusy(error) ? BUSY : error
    })
    registerSignIn(scope, parts, sessions, guesses)
    for (const route of CONSOLE_ROUTES)
      registerRoute(scope, { ...parts, sessions, guesses, admission }, route)
  })
}

/** Whoever waits for a connection in vain may try again; nothing is wrong with what was asked. */
const BUSY = new ApiError('auth_service_unavailable', {
  message: 'The service is busy. Try again in a moment.',
  headers: { 'retry-after': '1' },
})

function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** A page says whose it is: in another tab somebody else may have signed in since, and this is not meant for them. */
function isMeant(request: FastifyRequest, { companyId, id }: SignedInUser): boolean {
  const meant = request.headers['x-console-user']
  return meant === undefined || meant === encodeURIComponent(`${companyId} ${id}`)
}

function registerRoute(
  app: FastifyInstance,
  parts: ConsoleParts & { sessions: Sessions; guesses: Guesses; admission: Admission },
  route: ConsoleRoute,
): void {
  const run: Admission['run'] = route.isSlow === true ? (work) => work() : parts.admission.run
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    ...(route.bodyMaxBytes === undefined ? {} : { bodyLimit: route.bodyMaxBytes }),
    handler: async (request, reply) => {
      if (route.method !== 'GET') refuseOtherSites(request, parts.publicUrl())
      const answer = await run(async () => {
        const user = await parts.sessions.find(request)
        if (user === null || !isMeant(request, user)) throw new ApiError('not_signed_in')
        if (route.role === 'ADMIN' && user.role !== 'ADMIN') throw new ApiError('forbidden')
        const [id = ''] = Object.values(request.params as Record<string, string>)
        return route.answer({
          db: parts.db,
          reports: parts.reports,
          user,
          companyId: user.companyId,
          id,
          input: readInput(route.input, request),
          query: request.query as QueryPairs,
          presentation: { now: new Date().toISOString(), invoiceUrl: parts.invoiceUrl },
          publicUrl: parts.publicUrl(),
          address: parts.addressOf(request),
          guesses: parts.guesses,
        })
      })
      return answer === null ? reply.code(204).send() : reply.send(answer)
    },
  })
}
