/** Queueing and rejection of requests with a fake clock (system/processes/overload.test.ts: over HTTP). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiError } from '../core/requests/errors.ts'
import { createAdmission } from './admission.ts'
import type { AdmissionOptions } from './admission.ts'

const SLOTS = 4
let clock = 0

/** Advances the clock, with timers on time. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock += Math.min(50, ms - passed)
    await vi.advanceTimersByTimeAsync(Math.min(50, ms - passed))
  }
}

/** Simulates a process without CPU time: all due timers fire late. */
async function stall(ms: number): Promise<void> {
  clock += ms
  await vi.runOnlyPendingTimersAsync()
}

function setUp(options: AdmissionOptions = {}) {
  const admission = createAdmission(SLOTS, { now: () => clock, ...options })
  const working: (() => void)[] = []
  const served: string[] = []
  const rejected: { name: string; error: ApiError }[] = []
  const send = (name: string) => {
    const work = () => new Promise<void>((finish) => working.push(finish))
    admission.run(work).then(
      () => served.push(name),
      (error: ApiError) => rejected.push({ name, error }),
    )
  }
  const sendMany = (count: number) => {
    for (let i = 0; i < count; i++) send(`request ${i}`)
  }
  const finishOne = async () => {
    working.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  const finishAll = async () => {
    while (working.length > 0) await finishOne()
  }
  const isFull = () => {
    try {
      admission.refuseIfFull()
      return false
    } catch {
      return true
    }
  }
  /** Completes requests at this rate for a second. */
  const workFor1s = async (perSecond: number) => {
    for (let i = 0; i < perSecond; i++) {
      send('before')
      await finishOne()
      await pass(1000 / perSecond)
    }
    served.length = 0
  }
  return { admission, served, rejected, send, sendMany, finishOne, finishAll, isFull, workFor1s }
}

beforeEach(() => {
  clock = 1_000_000
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => vi.useRealTimers())

describe('a short queue', () => {
  it('rejects no request before 5 s with 64 waiting and no throughput', async () => {
    const { admission, rejected, served, sendMany, finishAll, isFull } = setUp()
    sendMany(SLOTS + 64)
    await pass(4_950)
    expect(isFull()).toBe(false)
    expect(rejected).toEqual([])
    expect(admission.counts()).toEqual({ active: SLOTS, waiting: 64 })
    await finishAll()
    expect(served).toHaveLength(SLOTS + 64)
  })

  it('accepts requests regardless of how long the first one has waited', async () => {
    const { rejected, served, send, sendMany, finishAll } = setUp()
    sendMany(SLOTS + 1)
    for (let i = 0; i < 9; i++) {
      await pass(500)
      send(`later ${i}`)
    }
    expect(rejected).toEqual([])
    await finishAll()
    expect(served).toHaveLength(SLOTS + 10)
  })

  it('is served in the order of arrival', async () => {
    const { served, send, sendMany, finishAll } = setUp()
    sendMany(SLOTS)
    for (const name of ['first', 'second', 'third']) send(name)
    await finishAll()
    expect(served.slice(SLOTS)).toEqual(['first', 'second', 'third'])
  })

  it('rejects each request with 503 and retry-after after 5 s', async () => {
    const { rejected, send, sendMany } = setUp()
    sendMany(SLOTS)
    send('first')
    await pass(2_000)
    send('second')
    await pass(3_050)
    expect(rejected.map(({ name }) => name)).toEqual(['first'])
    await pass(2_000)
    expect(rejected.map(({ name }) => name)).toEqual(['first', 'second'])
    expect(rejected[0]?.error).toMatchObject({
      status: 503,
      code: 'auth_service_unavailable',
      headers: { 'retry-after': '1' },
    })
  })
})

describe('a long queue', () => {
  it('is full when the throughput is too low for its length', async () => {
    const { rejected, sendMany, isFull, workFor1s } = setUp()
    await workFor1s(20)
    sendMany(SLOTS + 100)
    expect(isFull()).toBe(true)
    sendMany(1)
    await pass(1)
    expect(rejected).toHaveLength(1)
  })

  it('is not full while the throughput clears it in time', async () => {
    const { sendMany, isFull, workFor1s } = setUp()
    await workFor1s(1000)
    sendMany(SLOTS + 250)
    expect(isFull()).toBe(false)
    sendMany(100)
    expect(isFull()).toBe(true)
  })

  it('is not full after one stall', async () => {
    const { sendMany, isFull, workFor1s } = setUp()
    await workFor1s(1000)
    await stall(1_000)
    sendMany(SLOTS + 250)
    expect(isFull()).toBe(false)
  })

  it('accepts requests again when it gets shorter', async () => {
    const { sendMany, finishOne, isFull } = setUp()
    sendMany(SLOTS + 100)
    expect(isFull()).toBe(true)
    await finishOne()
    expect(isFull()).toBe(false)
  })
})

describe('a process without CPU time for longer than the maximum wait', () => {
  it('serves the whole queue as soon as it runs again', async () => {
    const { rejected, served, sendMany, finishAll } = setUp()
    sendMany(SLOTS + 16)
    await stall(8_000)
    expect(rejected).toEqual([])
    await finishAll()
    expect(served).toHaveLength(SLOTS + 16)
  })

  it('rejects the queue a second later if it still does not move', async () => {
    const { rejected, sendMany } = setUp()
    sendMany(SLOTS + 16)
    await stall(8_000)
    await pass(1_100)
    expect(rejected).toHaveLength(16)
  })
})

describe('a database that hangs', () => {
  it('rejects every request in the queue immediately, and no later one', async () => {
    let hang: () => void = () => undefined
    const { admission, rejected, sendMany } = setUp({ onDatabaseHang: (listener) => (hang = listener) })
    sendMany(SLOTS + 20)
    hang()
    await pass(1)
    expect(rejected).toHaveLength(20)
    expect(rejected[0]?.error).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    sendMany(1)
    expect(admission.counts()).toEqual({ active: SLOTS, waiting: 1 })
  })
})

describe('a slot', () => {
  it('that is released early is used by the next request, and is not released again at the end', async () => {
    const { admission, sendMany } = setUp()
    sendMany(SLOTS - 1)
    let finish: () => void = () => undefined
    const early = admission.run((release) => {
      release()
      release()
      return new Promise<void>((resolve) => (finish = resolve))
    })
    sendMany(1)
    expect(admission.counts()).toEqual({ active: SLOTS, waiting: 0 })
    finish()
    await early
    expect(admission.counts()).toEqual({ active: SLOTS, waiting: 0 })
  })

  it('is free again after a failure', async () => {
    const { admission } = setUp()
    await expect(admission.run(async () => Promise.reject(new Error('fails')))).rejects.toThrow('fails')
    expect(admission.counts()).toEqual({ active: 0, waiting: 0 })
  })
})
