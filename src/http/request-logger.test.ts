import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../server/log.ts'
import { createRequestLines, delayChildren } from './request-logger.ts'

afterEach(() => void vi.useRealTimers())

function logInto(lines: string[], level = 'info') {
  return createLogger(level, { write: (line) => void lines.push(line) })
}

describe('the line of a request', () => {
  const text = fc.string({ unit: 'binary' })
  const line = fc.record({
    requestId: fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCodePoint(c)) }),
    method: fc.constantFrom('GET', 'M-SEARCH'),
    route: fc.constantFrom('/api/quotes/:id', 'unknown', '/*'),
    status: fc.integer({ min: 100, max: 599 }),
    durationMs: fc.integer({ min: 0 }).map((us) => us / 1000),
    company: fc.option(text, { nil: undefined }),
  })

  it('is, byte for byte, the one that the logger itself would write', () => {
    vi.useFakeTimers({ now: 1_700_000_000_123 })
    const lines: string[] = []
    const logger = logInto(lines)
    const logRequest = createRequestLines(logger)
    fc.assert(
      fc.property(line, (request) => {
        logRequest(request)
        logger.info(request, 'request')
        const [ours, its] = lines.splice(0)
        expect(ours).toBe(its)
      }),
    )
  })

  it('is not written where the level leaves such lines out', () => {
    const lines: string[] = []
    const logger = logInto(lines, 'warn')
    createRequestLines(logger)({
      requestId: 'req_1',
      method: 'GET',
      route: '/',
      status: 200,
      durationMs: 1,
      company: undefined,
    })
    expect(lines).toEqual([])
  })
})

describe('the logger of a request', () => {
  it('is created once, at first use, with the same output as one created earlier', () => {
    vi.useFakeTimers({ now: 1_700_000_000_123 })
    const lines: string[] = []
    const logger = logInto(lines)
    const makes = vi.spyOn(logger, 'child')
    const delaying = logger.child({})
    delayChildren(delaying)
    const child = delaying.child({ requestId: 'req_1' })
    expect(makes).toHaveBeenCalledTimes(1)
    child.warn({ code: 'x' }, 'first')
    child.error({ err: new Error('second') })
    expect(makes).toHaveBeenCalledTimes(2)
    const grandchild = child.child({ more: true })
    expect(makes).toHaveBeenCalledTimes(3)
    grandchild.info('third')
    child.debug('not at this level')
    expect(child.level).toBe('info')
    const ours = lines.splice(0)
    const plain = logger.child({ requestId: 'req_1' })
    plain.warn({ code: 'x' }, 'first')
    plain.child({ more: true }).info('third')
    expect([ours[0], ours[2]]).toEqual(lines)
    expect(JSON.parse(ours[1] ?? '')).toMatchObject({ requestId: 'req_1', err: { message: 'second' } })
    expect(ours).toHaveLength(3)
  })
})
