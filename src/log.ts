/** The log: structured lines on standard error; standard output is for what commands print. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

/** How long a line may wait for others. */
const FLUSH_MS = 100
const FLUSH_BYTES = 4096

/**
 * Where the lines go: written in the background, since a line per request must not make requests wait, and several at
 * once, since each write wakes another thread, which costs more than all the rest of the line.
 */
export function logDestination(): DestinationStream & { flushSync: () => void } {
  return pino.destination({ fd: 2, sync: false, minLength: FLUSH_BYTES, periodicFlush: FLUSH_MS })
}

export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, timestamp: pino.stdTimeFunctions.isoTime, base: { pid: process.pid } }, destination)
}
