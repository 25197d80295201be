/** Resources that a test file has opened and must close. */
const steps: (() => Promise<unknown>)[] = []

export function atEnd(close: () => Promise<unknown>): void {
  steps.push(close)
}

/** Closes the last one first, at the end of the file (test/support/setup.ts). */
export async function closeAll(): Promise<void> {
  for (let close = steps.pop(); close !== undefined; close = steps.pop()) await close()
}
