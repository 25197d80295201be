/** The application's own part of the server: who is calling, what was sent, the answer. Its pages are in `pages.ts`. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IdempotencyKey } from '../actions/idempotency.ts'
import { readIdempotencyKey } from '../api/idempotency.ts'
import type { DbPool } from '../db/statement.ts'
import { USERS, isAllowed } from '../core/callers.ts'
import { ApiError } from '../core/requests/errors.ts'
import { boundedJson } from '../codec/json.ts'
import type { Presentation } from '../codec/presentation.ts'
import type { QueryPairs } from '../core/requests/query.ts'
import type { FormTokens } from '../core/security/form-token.ts'
import type { HangWatch } from '../db/hang-watch.ts'
import type { Outbox } from '../records/mail/queue.ts'
import type { SignedInUser } from '../records/session/queries.ts'
import { createAdmission } from '../http/admission.ts'
import type { Admission } from '../http/admission.ts'
import { waitToParse } from '../http/json-body.ts'
import { CONSOLE_BODY_MAX_BYTES } from '../http/limits.ts'
import { sendInPieces } from '../http/slow-readers.ts'
import type { Pieces } from '../http/slow-readers.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { readInput } from './input.ts'
import { registerForgotPassword } from './forgot-password.ts'
import { registerLinks } from './links.ts'
import { CsvFile } from './route.ts'
import type { ConsoleRoute, ConsoleWebhooks } from './route.ts'
import { CONSOLE_ROUTES } from './routes.ts'
import { createSessions, refuseOtherSites } from './session.ts'
import type { SessionParts, Sessions } from './session.ts'
import { contextOf, registerSignIn } from './sign-in.ts'

export interface ConsoleParts extends SessionParts {
  reports: DbPool
  invoiceUrl: Presentation['invoiceUrl']
  quoteUrl: Presentation['quoteUrl']
  onDatabaseHang?: HangWatch['onHang'] | undefined
  inPieces: Pieces
  webhooks: ConsoleWebhooks
  formTokens: FormTokens
  /** Absent if mail is not configured. */
  outbox: Outbox | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null outside of the console, and until the session is checked. */
    consoleUser: SignedInUser | null
  }
}

export function registerConsole(app: FastifyInstance, parts: ConsoleParts): void {
  const sessions = createSessions(parts)
  const { onDatabaseHang } = parts
  const signInThrottle = createSignInThrottle(parts.db, onDatabaseHang)
  // Separate from the API's: console requests that wait for a connection must not hold up API requests.
  const admission = createAdmission(parts.db.options.max + parts.reports.options.max, { onDatabaseHang })
  app.decorateRequest('consoleUser', null)
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.setErrorHandler((error) => {
      throw isBusy(error) ? BUSY : error
    })
    registerSignIn(scope, parts, sessions, signInThrottle)
    registerLinks(scope, parts, sessions)
    registerForgotPassword(scope, parts, signInThrottle)
    for (const route of CONSOLE_ROUTES)
      registerRoute(scope, { ...parts, sessions, signInThrottle, admission }, route)
  })
}

/** No connection was free in time. The request itself is fine, so the client can retry. */
const BUSY = new ApiError('auth_service_unavailable', {
  message: 'The service is busy. Try again in a moment.',
  headers: { 'retry-after': '1' },
})

function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** A page names its user, since another user may have signed in in another tab. */
function isMeant(request: FastifyRequest, { companyId, id }: SignedInUser): boolean {
  const meant = request.headers['x-console-user']
  return meant === undefined || meant === encodeURIComponent(`${companyId} ${id}`)
}

interface RouteParts extends ConsoleParts {
  sessions: Sessions
  signInThrottle: SignInThrottle
  admission: Admission
}

const withoutSlot: Admission['run'] = (work) =>
  work(
    () => undefined,
    async () => undefined,
  )

function registerRoute(app: FastifyInstance, parts: RouteParts, route: ConsoleRoute): void {
  const run: Admission['run'] = route.isSlow === true ? withoutSlot : parts.admission.run
  const findCaller = async (request: FastifyRequest): Promise<SignedInUser> => {
    const user = await parts.sessions.find(request)
    if (user === null || !isMeant(request, user)) throw new ApiError('not_signed_in')
    if (!isAllowed(user.role, route.allowed ?? USERS)) throw new ApiError('forbidden')
    return user
  }
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    bodyLimit: route.bodyMaxBytes ?? CONSOLE_BODY_MAX_BYTES,
    // Before the body is read: it costs nothing when the caller may not send one.
    onRequest: async (request) => {
      if (route.method !== 'GET') refuseOtherSites(request, parts.publicUrl())
      // Anyone can send requests without a session, so they take no place in the queue.
      if (!parts.sessions.isPossible(request)) throw new ApiError('not_signed_in')
      request.consoleUser = await run(() => findCaller(request))
    },
    onSend: sendInPieces(parts.inPieces),
    handler: async (request, reply) => {
      if (request.body !== undefined) await waitToParse(request.body as Buffer)
      const answer = await run(async () => {
        // Again: a body takes as long as its sender likes, and the session may have ended meanwhile.
        if (request.body !== undefined) request.consoleUser = await findCaller(request)
        return answerCall(request, parts, route)
      })
      if (answer === null) return reply.code(204).send()
      if (answer instanceof CsvFile) return sendCsv(reply, answer)
      const bytes = boundedJson(answer)
      return reply.header('content-length', bytes.length).type('application/json; charset=utf-8').send(bytes)
    },
  })
}

/** Reads no further than the client does. */
function sendCsv(reply: FastifyReply, { name, texts }: CsvFile): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(texts, { objectMode: false, encoding: 'utf8' }))
}

async function answerCall(
  request: FastifyRequest,
  parts: RouteParts,
  route: ConsoleRoute,
): Promise<object | null> {
  const { consoleUser: user } = request
  if (user === null) throw new Error('a console route was reached without a session')
  const [id = ''] = Object.values(request.params as Record<string, string>)
  const action = { ...contextOf(parts, user, user.role), key: keyOf(request, route, user) }
  return route.answer({
    db: parts.db,
    action,
    reports: parts.reports,
    user,
    companyId: user.companyId,
    id,
    input: readInput(route.input, request),
    query: request.query as QueryPairs,
    presentation: action.presentation,
    tokenHash: parts.sessions.tokenHashOf(request) ?? '',
    publicUrl: parts.publicUrl(),
    address: parts.addressOf(request),
    signInThrottle: parts.signInThrottle,
    webhooks: parts.webhooks,
    formTokens: parts.formTokens,
    outbox: parts.outbox,
  })
}

function keyOf(
  request: FastifyRequest,
  { isCreation }: ConsoleRoute,
  user: SignedInUser,
): IdempotencyKey | null {
  if (isCreation !== true) return null
  const { headers, body, method, url } = request
  return readIdempotencyKey({ headers, rawBody: body as Buffer | undefined }, `${method} ${url} ${user.id}`)
}
