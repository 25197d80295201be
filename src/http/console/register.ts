/** The application's own part of the server: who is calling, what was sent, the answer. Its pages are in `pages.ts`. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ApiError } from '../../core/errors.ts'
import type { QueryPairs } from '../../core/query.ts'
import type { Presentation } from '../../objects/presentation.ts'
import type { Admission } from '../admission.ts'
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
  admission: Admission
}

export function registerConsole(app: FastifyInstance, parts: ConsoleParts): void {
  const sessions = createSessions(parts.db, parts.appSecrets, parts.publicUrl)
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    registerSignIn(scope, parts, sessions)
    for (const route of CONSOLE_ROUTES) registerRoute(scope, parts, sessions, route)
  })
}

function registerRoute(
  app: FastifyInstance,
  parts: ConsoleParts,
  sessions: Sessions,
  route: ConsoleRoute,
): void {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    ...(route.bodyMaxBytes === undefined ? {} : { bodyLimit: route.bodyMaxBytes }),
    handler: async (request, reply) => {
      if (route.method !== 'GET') refuseOtherSites(request, parts.publicUrl())
      const answer = await parts.admission.run(async () => {
        const user = await sessions.find(request)
        if (user === null) throw new ApiError('not_signed_in')
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
        })
      })
      return answer === null ? reply.code(204).send() : reply.send(answer)
    },
  })
}
