import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs at the first call, and once more for all calls within the interval', () => {
  const work = vi.fn<() => void>()
  const { call } = throttle(work, 50)
  call()
  expect(work).toHaveBeenCalledTimes(1)
  call()
  call()
  vi.advanceTimersByTime(49)
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(2)
})

it('keeps the interval after a delayed run, and runs immediately after a pause', () => {
  const work = vi.fn<() => void>()
  const { call } = throttle(work, 50)
  call()
  call()
  vi.advanceTimersByTime(60)
  call()
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(40)
  expect(work).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(200)
  expect(work).toHaveBeenCalledTimes(3)
  call()
  expect(work).toHaveBeenCalledTimes(4)
})

it('does not run after stop', () => {
  const work = vi.fn<() => void>()
  const { call, stop } = throttle(work, 50)
  call()
  call()
  stop()
  vi.advanceTimersByTime(200)
  call()
  expect(work).toHaveBeenCalledTimes(1)
})
