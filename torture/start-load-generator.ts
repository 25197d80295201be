/** Starts the load generator as a child process, and sends it jobs. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atEnd, throwIfInterrupted } from './at-end.ts'
import type { LoadJob, LoadResult } from './load-generator.ts'

export interface LoadGenerator {
  run: (job: LoadJob) => Promise<LoadResult>
  stop: () => Promise<void>
}

export function startLoadGenerator(): LoadGenerator {
  throwIfInterrupted()
  const child = fork(fileURLToPath(new URL('load-generator.js', import.meta.url)))
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  atEnd(stop)
  return {
    stop,
    run: (job) =>
      new Promise((resolve, reject) => {
        child.once('message', ({ result, error }: { result?: LoadResult; error?: string }) =>
          result === undefined ? reject(new Error(error)) : resolve(result),
        )
        void ended.then(() => reject(new Error('the load generator has exited')))
        child.send(job)
      }),
  }
}

/** Infinite for no values, so that a goal for them is missed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity
}

export function countOthers({ others }: LoadResult): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}
