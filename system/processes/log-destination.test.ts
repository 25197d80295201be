/** The log while its reader stalls. */
import { execFileSync } from 'node:child_process'
import { constants, createReadStream, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLogger, logDestination } from '../../src/server/log.ts'
import { temporaryFolder } from '../../test/support/process.ts'

describe('a stalled reader of the log', () => {
  it('uses limited memory, and the log reports the number of lost lines when it reads again', async () => {
    const pipe = join(temporaryFolder(), 'log')
    execFileSync('mkfifo', [pipe])
    // Opens both ends, so that neither waits for the other.
    const reading = openSync(pipe, constants.O_RDWR)
    const writing = openSync(pipe, 'w')
    const destination = logDestination(writing)
    const logger = createLogger('info', destination)
    destination.onLost((lines) => logger.warn({ lines }, 'lost'))
    const written = 60_000
    const filler = 'x'.repeat(200)
    for (let i = 0; i < written; i++) logger.info({ i, filler }, 'line')

    let text = ''
    const reader = createReadStream(pipe, { fd: reading, encoding: 'utf8', autoClose: false })
    for await (const chunk of reader as AsyncIterable<string>) {
      text += chunk
      if (text.endsWith('"msg":"lost"}\n')) break
    }
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { i: number; lines: number })
    const lost = lines.pop()?.lines ?? 0
    expect(lines.map(({ i }) => i)).toEqual(Array.from(lines.keys()))
    expect(lines.length + lost).toBe(written)
    expect(lost).toBeGreaterThan(10_000)
    expect(text.length).toBeLessThan(9_000_000)
  })
})
