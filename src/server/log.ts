/** Structured log lines on standard error. Standard output is for the output of commands. */
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { describeError } from './log-error.ts'

/** How long a line may be buffered. */
const FLUSH_MS = 100
/** Just below the size that the stream writes in one call. */
const FLUSH_BYTES = 15 * 1024
/** The buffer for a log reader that stalls: about 30,000 lines. Further lines are dropped and counted. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024

interface LogDestination extends DestinationStream {
  flushSync: () => void
  /** Called with the number of dropped lines when the log is written again. */
  onLost: (report: (lines: number) => void) => void
}

/**
 * Writes lines in the background, so that requests never wait for the log, and in batches, because each write wakes another
 * thread, which costs more than everything else about the line.
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
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      serializers: { err: describeError },
    },
    destination,
  )
}
