/**
 * The log, as far as every request has a part in it. What each one pays for is made as cheap as it can be; the rest is
 * the logger's own.
 */
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { isoNow } from './iso-now.ts'

export interface RequestLine {
  requestId: string
  method: string
  /** The route's pattern, not the URL: whatever a caller puts there by mistake, a key say, stays out of the log. */
  route: string
  status: number
  durationMs: number
  company: string | undefined
}

/** Writes the line that `logger.info(line, 'request')` would: it is always the same members, all of them short. */
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

/** Makes no logger for a request before something is to be said of it beside its one line. */
export function delayChildren(logger: FastifyBaseLogger): void {
  const child = Reflect.get(logger, 'child')
  logger.child = function makeLater(this: FastifyBaseLogger, bindings, options) {
    const make = () => child.call(this, bindings, options)
    // The logger's children have this from it: theirs are made at once.
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
