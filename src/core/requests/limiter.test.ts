import { expect, it } from 'vitest'
import { createLimiter } from './limiter.ts'

it('runs the given number concurrently and starts the rest in order, also after a failure', async () => {
  const limit = createLimiter(2)
  const finish: ((error?: Error) => void)[] = []
  const started: number[] = []
  const results = Promise.allSettled(
    [0, 1, 2, 3].map((i) =>
      limit(() => {
        started.push(i)
        return new Promise<number>((resolve, reject) => {
          finish[i] = (error) => (error === undefined ? resolve(i) : reject(error))
        })
      }),
    ),
  )
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  finish[1]?.(new Error('it fails'))
  await expect.poll(() => started).toEqual([0, 1, 2])
  finish[0]?.()
  await expect.poll(() => started).toEqual([0, 1, 2, 3])
  finish[2]?.()
  finish[3]?.()
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(await limit(async () => 'one more')).toBe('one more')
})
