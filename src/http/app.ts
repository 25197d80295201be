/** How bytes become requests: the framework, its parser, its limits, and what becomes of what cannot be read. */
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ApiError } from '../core/requests/errors.ts'
import { parseQuery, routableTarget } from '../core/requests/query.ts'
import { createClientErrors } from './client-errors.ts'
import { noteAnswers } from './last-answers.ts'
import { requestIdOf } from './request-id.ts'
import { delayChildren } from './request-logger.ts'
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
    // Told to the caller, too. A connection costs little to open again, and thousands of idle ones are an attack.
    keepAliveTimeout: 10_000,
    http: {
      maxHeaderSize: PARSER_MAX_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // Checked in openRequest: the parser's own answer has no body.
      requireHostHeader: false,
    },
    clientErrorHandler: answerUnreadable,
    // Of one that is too long, the beginning says which error shape its 414 has.
    rewriteUrl: ({ url = '/' }) =>
      routableTarget(url.length > URL_MAX_BYTES ? url.slice(0, URL_MAX_BYTES) : url),
    routerOptions: {
      // Ids are limited by what can be stored, not by the router.
      maxParamLength: PARSER_MAX_BYTES,
      querystringParser: (query) => parseQuery(query) as unknown as Record<string, unknown>,
    },
  })
  app.decorateRequest('failure', null)
  delayChildren(app.log)
  closeSlowReaders(app.server)
  noteAnswers(app.server)
  // All headers are read, so that all are counted.
  app.server.maxHeadersCount = 0
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); left alone, it gets a 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // CONNECT is for proxies; left alone, the connection would just end.
  app.server.on('connect', (_, socket) => answerUnreadable({ code: 'CONNECT' }, socket))
  return app
}
