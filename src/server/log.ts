/** The log: structured lines on standard error; standard output is for what commands print. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { isoNow } from '../http/iso-now.ts'
import { describeError } from './log-error.ts'

/** How long a line may wait for others. */
const FLUSH_MS = 100
/** Just below what the stream writes at once. */
const FLUSH_BYTES = 15 * 1024
/** What is kept for a reader of the log that stalls: some 30,000 lines. What comes then is lost, and counted. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024

interface LogDestination extends DestinationStream {
  flushSync: () => void
  /** Calls when the log flows again after lines were lost, with their number. */
  onLost: (report: (lines: number) => void) => void
}

/**
 * Where the lines go: written in the background, since a line per request must not make requests wait, and several at
 * once, since each write wakes another thread, which costs more than all the rest of the line.
 */
export function logDestination(fd = 2): LogDestination {
  const stream = pino.destination({
    fd,
    sync: false,
    minLength: FLUSH_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: UNREAD_MAX_BYTES,
  })
  let lost = 0
  stream.on('drop', () => lost++)
  return {
    write: (line) => void stream.write(line),
    flushSync: () => stream.flushSync(),
    onLost: (report) => {
      stream.on('drain', () => {
        if (lost === 0) return
        const lines = lost
        lost = 0
        report(lines)
      })
    },
  }
}

export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: () => `,"time":"${isoNow()}"`,
      base: { pid: process.pid },
      serializers: { err: describeError },
    },
    destination,
  )
}
