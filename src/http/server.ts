/** The HTTP server: every route and hook, in one explicit list. */
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ApiError } from '../core/errors.ts'
import { Json, jsonBytes, toJson } from '../core/json.ts'
import { createInvoiceTokens } from '../core/invoice-token.ts'
import type { QueryPairs } from '../core/query.ts'
import type { KeyHolder } from '../db/api-keys.ts'
import type { Replicas } from '../db/replica.ts'
import type { Presentation } from '../objects/presentation.ts'
import { createAdmission } from './admission.ts'
import type { Admission } from './admission.ts'
import { createApp } from './app.ts'
import { createAddressOf, createAuthenticate } from './authenticate.ts'
import type { Denial } from './authenticate.ts'
import { registerPages } from './console/pages.ts'
import { registerConsole } from './console/register.ts'
import { registerDocs } from './docs.ts'
import type { Drain } from './drain.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { errorBody } from './error-bodies.ts'
import { BODY_MAX_BYTES, HEADERS_MAX_BYTES, URL_MAX_BYTES } from './limits.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { registerInvoicePage } from './pages/invoice-page.ts'
import { createPathList } from './path-list.ts'
import { registerProbes } from './probes.ts'
import { createRateLimit } from './rate-limit.ts'
import type { RequestLog } from './request-log.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { createPieces } from './slow-readers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    holder: KeyHolder | null
    /** Of a known key that was refused. */
    denial: Denial | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

export interface ServerParts {
  data: Pool
  keys: Pool
  /** Of the application; what it adds up and searches goes to `reports`. */
  console: Pool
  reports: Pool
  /** Absent: everything is read from `data`. */
  replicas?: Replicas
  logger: FastifyBaseLogger
  trustedProxies: readonly string[]
  rateLimitPerMinute: number | undefined
  /** The public address, for the documentation. */
  publicUrl: () => string
  /** The current one first. */
  appSecrets: readonly [string, ...string[]]
  /** Whether the schema is there: false until the first migration has succeeded. */
  isMigrated: () => boolean
  /** What companies see of their requests; absent: nothing is kept. */
  requestLog?: RequestLog
  /** How it ends; absent: at once. */
  drain?: Drain
  endpoints?: readonly Endpoint[]
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function buildServer(parts: ServerParts): FastifyInstance {
  const app = createApp(parts.logger)
  const paths = createPathList(app)
  const admission = createAdmission(placesFor(parts))
  const metrics = createMetrics(
    { data: parts.data, keys: parts.keys, console: parts.console, reports: parts.reports },
    parts.replicas?.list ?? [],
    admission,
    parts.requestLog,
  )
  app.decorateRequest('holder', null)
  app.decorateRequest('denial', null)
  app.addHook('onRequest', async (request, reply) => {
    openRequest(request, reply)
    // At once: a body, whatever its size or type, says nothing about a path that does not take it.
    if (request.is404) return answerUnknown(request, reply)
    return hasEmptyId(request) ? reply.callNotFound() : undefined
  })
  parts.drain?.register(app)
  logResponses(app, metrics, parts.requestLog)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(toApiError(error, request), request, reply, request.routeOptions.config.endpoint),
  )
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allow = paths.methodsOf(request.url)
    if (allow.length === 0) {
      const message = 'There is nothing at this path. See /docs for the API.'
      return sendError(new ApiError('not_found', { message }), request, reply, undefined)
    }
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
  registerEndpoints(app, parts, invoiceUrl, admission)
  registerInvoicePage(app, parts.data, tokens, admission)
  registerProbes(app, parts, metrics)
  registerDocs(app, parts.endpoints ?? ENDPOINTS, parts.publicUrl)
  const { console: db, reports, appSecrets, publicUrl } = parts
  const addressOf = createAddressOf(parts.trustedProxies)
  registerConsole(app, { db, reports, appSecrets, publicUrl, addressOf, invoiceUrl })
  registerPages(app, parts.publicUrl)
  return app
}

/** What is done when an answer is out, or its caller has gone. */
function logResponses(app: FastifyInstance, metrics: Metrics, requestLog: RequestLog | undefined): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    requestLog?.note(request, reply.statusCode, reply.elapsedTime)
    const durationMs = Math.round(reply.elapsedTime * 1000) / 1000
    const { method, holder } = request
    // The route's pattern, not the URL: whatever a caller puts there by mistake, a key say, stays out of the log.
    request.log.info(
      { method, route, status: reply.statusCode, durationMs, company: holder?.companyId },
      'request',
    )
  })
}

/** Twice as many as there are connections: one in the database, one on its way there or back. */
function placesFor({ data, replicas }: ServerParts): number {
  const pools = [data, ...(replicas?.list ?? []).map(({ pool }) => pool)]
  return 2 * pools.reduce((sum, { options }) => sum + options.max, 0)
}

function registerEndpoints(
  app: FastifyInstance,
  parts: ServerParts,
  invoiceUrl: Presentation['invoiceUrl'],
  admission: Admission,
): void {
  const authenticate = createAuthenticate(parts.keys, parts.trustedProxies)
  const countRequest = createRateLimit(parts.rateLimitPerMinute)
  const onPrimary: Replicas['read'] = (work) => work(parts.data)
  const inPieces = createPieces()
  for (const endpoint of parts.endpoints ?? ENDPOINTS) {
    // What writes is done once.
    const run = endpoint.method === 'GET' ? (parts.replicas?.read ?? onPrimary) : onPrimary
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { endpoint },
      onRequest: async (request) => {
        request.holder = await authenticate(request, endpoint.operation)
        countRequest(request.holder)
        // The framework would refuse a malformed type before it looks at the size: it gets to see none that matters.
        if ('content-type' in request.headers)
          request.headers = { 'content-type': 'application/octet-stream' }
      },
      handler: async (request, reply) => {
        const { holder } = request
        if (holder === null) throw new Error('an endpoint was reached without authentication')
        const [id = ''] = Object.values(request.params as Record<string, string>)
        const call = {
          primary: parts.data,
          companyId: holder.companyId,
          id,
          query: request.query as QueryPairs,
          headers: request.raw.headers,
          rawBody: request.body as Buffer | undefined,
          presentation: { now: new Date().toISOString(), invoiceUrl },
        }
        // Only now, when all of the request is here: a body comes as slowly as its sender likes.
        const { bytes, headers } = await admission.run(async () => {
          // While it waited, its caller may have given up.
          if (request.socket.destroyed) throw new ApiError('server_error')
          const answer = await run((db) => endpoint.answer({ ...call, db }))
          const json = answer.body instanceof Json ? answer.body : toJson(answer.body)
          return { bytes: jsonBytes(json), headers: answer.headers ?? {} }
        })
        return reply
          .code(endpoint.status)
          .headers(headers)
          .header('content-length', bytes.length)
          .type(JSON_TYPE)
          .send(inPieces(bytes))
      },
    })
  }
}

/** What holds for every request, before anything else is known of it. */
function openRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS)
  reply.header('x-request-id', request.id)
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  // We change to no other protocol; but the parser expects one, and reads no request behind this one.
  if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
  if (request.originalUrl.length > URL_MAX_BYTES) throw new ApiError('url_too_long')
  if (headerBytes(request) > HEADERS_MAX_BYTES) throw new ApiError('headers_too_large')
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new ApiError('invalid_parameter', { message: 'The host header is missing.' })
  }
}

/** The router takes a trailing slash for an empty id; in the API it is another, unknown path. */
function hasEmptyId(request: FastifyRequest): boolean {
  const isEndpoint = request.routeOptions.config.endpoint !== undefined
  return isEndpoint && Object.values(request.params as Record<string, string>).includes('')
}

function headerBytes(request: FastifyRequest): number {
  let bytes = 0
  for (const part of request.raw.rawHeaders) bytes += part.length + 2
  return bytes
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
