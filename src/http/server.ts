/** The HTTP server: every route and hook, in one explicit list. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { ApiError } from '../core/errors.ts'
import { createInvoiceTokens } from '../core/invoice-token.ts'
import type { HangWatch } from '../db/hang-watch.ts'
import type { Replicas } from '../db/replica.ts'
import { createAdmission } from './admission.ts'
import { createApp } from './app.ts'
import { createAddressOf } from './authenticate.ts'
import { addVary, compressResponses } from './compression.ts'
import { registerPages } from './console/pages.ts'
import { registerConsole } from './console/register.ts'
import { registerDocs } from './docs.ts'
import type { Drain } from './drain.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { createEntrance } from './entrance.ts'
import type { EntranceParts } from './entrance.ts'
import { errorBody } from './error-bodies.ts'
import { createLargePages } from './large-pages.ts'
import { BODY_MAX_BYTES } from './limits.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { openRequest } from './open-request.ts'
import { registerFonts } from './fonts.ts'
import { registerInvoicePage } from './pages/invoice-page.ts'
import { createNotFoundPage } from './pages/not-found-page.ts'
import { createPathList } from './path-list.ts'
import { registerProbes } from './probes.ts'
import { JSON_TYPE, registerEndpoints } from './register-endpoints.ts'
import type { RequestLog } from './request-log.ts'
import { createRequestLines } from './request-logger.ts'
import { createSecurityHeaders } from './security-headers.ts'
import { registerSecurityTxt } from './security-txt.ts'
import { createPieces } from './slow-readers.ts'

export interface ServerParts extends EntranceParts {
  data: Pool
  /** Absent: everything is read from `data`. */
  replicas?: Replicas
  /** Of the application; what it adds up and searches goes to `reports`. */
  console: Pool
  reports: Pool
  logger: Logger
  /** The public address, for the documentation. */
  publicUrl: () => string
  /** Where to report vulnerabilities: a `mailto:` or `https:` URL. */
  securityContact?: string | undefined
  /** The key of the demo world, for visitors of the documentation; absent unless the demo is served. */
  demoKey?: () => string | undefined
  /** The current one first. */
  appSecrets: readonly [string, ...string[]]
  /** Whether the schema is there: false until the first migration has succeeded. */
  isMigrated: () => boolean
  /** What companies see of their requests; absent: nothing is kept. */
  requestLog?: RequestLog
  /** Registers a listener that is called when the database hangs. */
  onDatabaseHang?: HangWatch['onHang']
  /** How it ends; absent: at once. */
  drain?: Drain
  endpoints?: readonly Endpoint[]
}

export function buildServer(parts: ServerParts): FastifyInstance {
  const securityHeaders = createSecurityHeaders(parts.publicUrl)
  const app = createApp(parts.logger, securityHeaders)
  const paths = createPathList(app)
  const { onDatabaseHang } = parts
  const admission = createAdmission(slotsFor(parts), { onDatabaseHang })
  const largePages = createLargePages(onDatabaseHang)
  const inPieces = createPieces()
  const countRequests = () => {
    const [all, large] = [admission.counts(), largePages.counts()]
    return { active: all.active + large.active, waiting: all.waiting + large.waiting }
  }
  const metrics = createMetrics(
    { data: parts.data, keys: parts.keys, console: parts.console, reports: parts.reports },
    parts.replicas?.list ?? [],
    countRequests,
    parts.requestLog,
  )
  app.addHook('onRequest', (request, reply, done) => {
    if (parts.drain?.isClosing() === true) reply.header('connection', 'close')
    openRequest(request, reply, securityHeaders())
    // At once: a body, whatever its size or type, says nothing about a path that does not take it.
    if (request.is404) answerUnknown(request, reply)
    else done()
  })
  compressResponses(app)
  parts.drain?.register(app)
  logResponses(app, metrics, parts)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(toApiError(error, request), request, reply, request.routeOptions.config.endpoint),
  )
  const notFoundPage = createNotFoundPage(parts.publicUrl)
  const answerNothing = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (notFoundPage.isPossible(request)) addVary(reply, 'accept')
    if (notFoundPage.isWanted(request)) return notFoundPage.send(reply)
    const message = 'There is nothing at this path. See /docs for the API.'
    return sendError(new ApiError('not_found', { message }), request, reply, undefined)
  }
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allow = paths.methodsOf(request.url)
    if (allow.length === 0) return answerNothing(request, reply)
    const headers = { allow: allow.join(', ') }
    const message = `${request.method} is not supported here; use ${headers.allow}`
    const endpoint = paths.endpointOf(request.url)
    return sendError(new ApiError('method_not_allowed', { message, headers }), request, reply, endpoint)
  }
  app.setNotFoundHandler(answerUnknown)
  // Endpoints read the bytes themselves, whatever type they claim to be: the answer to a wrong one is theirs to give.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const tokens = createInvoiceTokens(...parts.appSecrets)
  const invoiceUrl = (companyId: string, invoiceId: string) =>
    `${parts.publicUrl()}/i/${tokens.seal({ companyId, invoiceId })}`
  registerEndpoints(app, parts.endpoints ?? ENDPOINTS, createEntrance(parts, admission), {
    ...parts,
    admission,
    largePages,
    inPieces,
    invoiceUrl,
  })
  registerInvoicePage(app, { db: parts.data, tokens, admission, publicUrl: parts.publicUrl })
  registerFonts(app)
  registerProbes(app, parts, metrics)
  registerDocs(app, parts.endpoints ?? ENDPOINTS, parts.publicUrl, parts.demoKey ?? (() => undefined))
  const { console: db, reports, appSecrets, publicUrl } = parts
  const addressOf = createAddressOf(parts.trustedProxies)
  registerConsole(app, {
    db,
    reports,
    appSecrets,
    publicUrl,
    addressOf,
    invoiceUrl,
    onDatabaseHang,
    inPieces,
  })
  registerPages(app, parts.publicUrl, answerNothing)
  registerSecurityTxt(app, parts)
  return app
}

/** What is done when an answer is out, or its caller has gone. */
function logResponses(
  app: FastifyInstance,
  metrics: Metrics,
  { logger, requestLog }: Pick<ServerParts, 'logger' | 'requestLog'>,
): void {
  const logRequest = createRequestLines(logger)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, holder, endpoint } = request
    // The framework makes an object of all that it knows of a route, at every look.
    const route = endpoint?.path ?? request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    metrics.observeRequest(method, route, status, elapsedTime / 1000)
    requestLog?.note(request, status, elapsedTime)
    const durationMs = Math.round(elapsedTime * 1000) / 1000
    logRequest({ requestId: request.id, method, route, status, durationMs, company: holder?.companyId })
    done()
  })
}

/** Twice as many as there are connections: one in the database, one on its way there or back. */
function slotsFor({ data, replicas }: ServerParts): number {
  const pools = [data, ...(replicas?.list ?? []).map(({ pool }) => pool)]
  return 2 * pools.reduce((sum, { options }) => sum + options.max, 0)
}

const KIB = 1024
const MIB = 1024 * KIB

/** How much may be sent is the route's own. */
function bodyTooLarge(maxBytes: number, cause: FastifyError): ApiError {
  const most = maxBytes % MIB === 0 ? `${maxBytes / MIB} MiB` : `${maxBytes / KIB} KiB`
  return new ApiError('body_too_large', {
    message: `The request body is too large. Send at most ${most}.`,
    cause,
  })
}

function toApiError(error: FastifyError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return bodyTooLarge(request.routeOptions.bodyLimit ?? BODY_MAX_BYTES, error)
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError('invalid_parameter', { message: 'The request cannot be read.', cause: error })
  }
  return new ApiError('server_error', { cause: error })
}

function sendError(
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint | undefined,
): FastifyReply {
  request.failure = error
  // A refusal has no cause: the line of the request says it all, and while too much is asked, lines cost what answers need.
  if (error.status >= 500 && error.cause !== undefined) {
    request.log.error(
      { err: error.cause, code: error.code, company: request.holder?.companyId },
      'request failed',
    )
  }
  return reply
    .code(error.status)
    .headers(error.headers)
    .type(JSON_TYPE)
    .send(errorBody(endpoint?.errorShape ?? 'structured', error))
}
