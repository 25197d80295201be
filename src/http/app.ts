/** The Fastify instance: parser, limits and timeouts, and responses to bytes that are not a valid request. */
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ApiError } from '../core/requests/errors.ts'
import { parseQuery, routableTarget } from '../core/requests/query.ts'
import { createClientErrors } from './client-errors.ts'
import { noteAnswers } from './last-answers.ts'
import { requestIdOf } from './request-id.ts'
import { BODY_MAX_BYTES, PARSER_MAX_BYTES, URL_MAX_BYTES } from './limits.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { closeSlowReaders } from './slow-readers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the response is an error. */
    failure: ApiError | null
  }
}

export function createApp(
  logger: FastifyBaseLogger,
  securityHeaders: () => Record<string, string> = () => SECURITY_HEADERS,
): FastifyInstance {
  const answerUnreadable = createClientErrors(securityHeaders, (line) =>
    logger.info(line, 'unreadable request'),
  )
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: BODY_MAX_BYTES,
    return503OnClosing: false,
    requestTimeout: 12_000,
    // Announced to the client. Reconnecting is cheap, and thousands of idle connections are an attack.
    keepAliveTimeout: 10_000,
    http: {
      maxHeaderSize: PARSER_MAX_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // Checked in openRequest: the parser's own response has no body.
      requireHostHeader: false,
    },
    clientErrorHandler: answerUnreadable,
    // The start of a URL that is too long decides which error shape its 414 has.
    rewriteUrl: ({ url = '/' }) =>
      routableTarget(url.length > URL_MAX_BYTES ? url.slice(0, URL_MAX_BYTES) : url),
    routerOptions: {
      // The database limits the length of ids, not the router.
      maxParamLength: PARSER_MAX_BYTES,
      querystringParser: (query) => parseQuery(query) as unknown as Record<string, unknown>,
    },
  })
  app.decorateRequest('failure', null)
  closeSlowReaders(app.server)
  noteAnswers(app.server)
  // 0 means no limit: all headers are read and counted.
  app.server.maxHeadersCount = 0
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). By default it gets a 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // CONNECT is for proxies. By default the connection ends without a response.
  app.server.on('connect', (_, socket) => answerUnreadable({ code: 'CONNECT' }, socket))
  return app
}
