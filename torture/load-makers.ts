/** Starts the process of load-maker.ts, and asks it for loads. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atEnd, refuseWhenInterrupted } from './at-end.ts'
import type { LoadJob, LoadResult } from './load-maker.ts'

export interface LoadMaker {
  run: (job: LoadJob) => Promise<LoadResult>
}

export function startLoadMaker(): LoadMaker {
  refuseWhenInterrupted()
  const child = fork(fileURLToPath(new URL('load-maker.js', import.meta.url)))
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        child.once('message', ({ result, error }: { result?: LoadResult; error?: string }) =>
          result === undefined ? reject(new Error(error)) : resolve(result),
        )
        void ended.then(() => reject(new Error('the process that makes load has ended')))
        child.send(job)
      }),
  }
}

/** Of none: infinite, so that a goal which needs some is missed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity
}

export function countOthers({ others }: LoadResult): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}
