/** Cleanup of everything an item has started, whether it completes, fails or is interrupted. */

const steps: (() => Promise<unknown>)[] = []
let interrupted = false

/** Runs when the item is done, the last one first. */
export function atEnd(undo: () => Promise<unknown>): void {
  steps.push(undo)
}

export async function endAll(): Promise<void> {
  for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
    await undo().catch((error: Error) => console.error(`torture: cleaning up: ${error.message}`))
  }
}

/** Cleans up while an item is running, and prevents it from starting anything more. */
export async function interrupt(): Promise<void> {
  interrupted = true
  await endAll()
}

export function refuseWhenInterrupted(): void {
  if (interrupted) throw new Error('the run was interrupted')
}
