/** What an item has started and must end, however the item ends: by itself, by an error, or by Ctrl-C. */

const steps: (() => Promise<unknown>)[] = []

/** The last one first, when the item is done. */
export function atEnd(undo: () => Promise<unknown>): void {
  steps.push(undo)
}

export async function endAll(): Promise<void> {
  for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
    await undo().catch((error: Error) => console.error(`torture: cleaning up: ${error.message}`))
  }
}
