/** Cleanup of everything that an item has started, after success, failure or interruption. */

const steps: (() => Promise<unknown>)[] = []
let interrupted = false

/** Runs when the item is done, in reverse order. */
export function atEnd(undo: () => Promise<unknown>): void {
  steps.push(undo)
}

export async function endAll(): Promise<void> {
  for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
    await undo().catch((error: Error) => console.error(`torture: cleaning up: ${error.message}`))
  }
}

/** Cleans up while an item is running, and prevents further starts. */
export async function interrupt(): Promise<void> {
  interrupted = true
  await endAll()
}

export function throwIfInterrupted(): void {
  if (interrupted) throw new Error('the run was interrupted')
}
