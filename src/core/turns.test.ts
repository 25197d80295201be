import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

it('only so many work at once; the others come in turn, also after one that fails', async () => {
  const turns = createTurns(2)
  const finish: ((error?: Error) => void)[] = []
  const began: number[] = []
  const results = Promise.allSettled(
    [0, 1, 2, 3].map((i) =>
      turns(() => {
        began.push(i)
        return new Promise<number>((resolve, reject) => {
          finish[i] = (error) => (error === undefined ? resolve(i) : reject(error))
        })
      }),
    ),
  )
  await Promise.resolve()
  expect(began).toEqual([0, 1])
  finish[1]?.(new Error('it fails'))
  await expect.poll(() => began).toEqual([0, 1, 2])
  finish[0]?.()
  await expect.poll(() => began).toEqual([0, 1, 2, 3])
  finish[2]?.()
  finish[3]?.()
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect(await turns(async () => 'one more')).toBe('one more')
})
