/** What an item has started and must end, however the item ends: by itself, by an error, or by Ctrl-C. */

const steps: (() => Promise<unknown>)[] = []
let interrupted = false

/** The last one first, when the item is done. */
export function atEnd(undo: () => Promise<unknown>): void {
  steps.push(undo)
}

export async function endAll(): Promise<void> {
  for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
    await undo().catch((error: Error) => console.error(`torture: cleaning up: ${error.message}`))
  }
}

/** While an item is still at work: from now on it can start nothing more. */
export async function interrupt(): Promise<void> {
  interrupted = true
  await endAll()
}

export function refuseWhenInterrupted(): void {
  if (interrupted) throw new Error('the run was interrupted')
}
