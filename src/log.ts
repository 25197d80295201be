/** The log: structured lines on standard error; standard output is for what commands print. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

/** Where the lines go: written in the background, since a line per request must not make requests wait. */
export function logDestination(): DestinationStream & { flushSync: () => void } {
  return pino.destination({ fd: 2, sync: false })
}

export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, timestamp: pino.stdTimeFunctions.isoTime, base: { pid: process.pid } }, destination)
}
