/** What a test file has opened and must close, also what was opened in the middle of a test. */
import { afterAll } from 'vitest'

const steps: (() => Promise<unknown>)[] = []

/** The last one first, when the file is done. */
export function atEnd(close: () => Promise<unknown>): void {
  steps.push(close)
}

afterAll(async () => {
  for (let close = steps.pop(); close !== undefined; close = steps.pop()) await close()
})
