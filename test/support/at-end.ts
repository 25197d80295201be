/** What a test file has opened and must close, also what was opened in the middle of a test. */
const steps: (() => Promise<unknown>)[] = []

export function atEnd(close: () => Promise<unknown>): void {
  steps.push(close)
}

/** The last one first, when the file is done (test/support/setup.ts). */
export async function closeAll(): Promise<void> {
  for (let close = steps.pop(); close !== undefined; close = steps.pop()) await close()
}
