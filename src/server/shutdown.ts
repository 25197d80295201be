/** What must be undone when the process ends, however it ends: by itself, by a signal, or by an error. */
import { printError } from '../cli/print.ts'

export interface Shutdown {
  /** The last one added is undone first. */
  add: (undo: () => Promise<unknown>) => void
  /** Undoes everything, once; a second call waits for the first. */
  run: () => Promise<void>
}

/** From here on a signal undoes what has been started so far and ends the process, also in the middle of a start. */
export function createShutdown(options: { signalExitCode: (signal: NodeJS.Signals) => number }): Shutdown {
  const steps: (() => Promise<unknown>)[] = []
  let running: Promise<void> | undefined
  const runAll = async () => {
    for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
      await undo().catch((error: Error) => printError(`quoting: stopping: ${error.message}`))
    }
  }
  const run = () => (running ??= runAll())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A terminal sends Ctrl-C to npm and to us, and npm passes it on: a second signal is no order to hurry.
    process.on(signal, () => void run().then(() => process.exit(options.signalExitCode(signal))))
  }
  return { add: (undo) => steps.push(undo), run }
}
