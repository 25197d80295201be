/**
 * The log line of each request. Only the parts that every request pays for are optimized; the rest is plain pino.
 */
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { isoNow } from './iso-now.ts'

export interface RequestLine {
  requestId: string
  method: string
  /** The route pattern, not the URL: a key that a client puts into the URL by mistake stays out of the log. */
  route: string
  status: number
  durationMs: number
  company: string | undefined
}

/** Writes the same line as `logger.info(line, 'request')`, which always has the same few members. */
export function createRequestLines(logger: Logger): (line: RequestLine) => void {
  const stream = Reflect.get(logger, pino.symbols.streamSym) as DestinationStream
  const level = pino.levels.values['info']
  const { pid } = process
  return ({ requestId, method, route, status, durationMs, company }) => {
    if (!logger.isLevelEnabled('info')) return
    const ofCompany = company === undefined ? '' : `,"company":${JSON.stringify(company)}`
    stream.write(
      `{"level":${level},"time":"${isoNow()}","pid":${pid},"requestId":${JSON.stringify(requestId)},"method":"${method}",` +
        `"route":"${route}","status":${status},"durationMs":${durationMs}${ofCompany},"msg":"request"}\n`,
    )
  }
}

/** Creates a child logger for a request only when it logs more than its one line. */
export function delayChildren(logger: FastifyBaseLogger): void {
  const child = Reflect.get(logger, 'child')
  logger.child = function makeLater(this: FastifyBaseLogger, bindings, options) {
    const make = () => child.call(this, bindings, options)
    // Children inherit this property and create their own children at once.
    if (this !== logger) return make()
    return new Proxy({ make, made: undefined }, DELAYED) as unknown as FastifyBaseLogger
  }
}

interface DelayedLogger {
  make: () => FastifyBaseLogger
  made: FastifyBaseLogger | undefined
}

const DELAYED: ProxyHandler<DelayedLogger> = {
  get: (delayed, name) => {
    delayed.made ??= delayed.make()
    const value: unknown = Reflect.get(delayed.made, name)
    return typeof value === 'function' ? (value.bind(delayed.made) as unknown) : value
  },
}
