/** Cleanup steps that run when the process ends: normally, by a signal, or by an error. */
import { printError } from '../cli/print.ts'

export interface Shutdown {
  /** The last step added runs first. */
  add: (undo: () => Promise<unknown>) => void
  /** Runs all steps once. A second call waits for the first. */
  run: () => Promise<void>
}

/** From here on, a signal cleans up what was started so far and ends the process, also during startup. */
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
    // A terminal sends Ctrl-C to npm and to us, and npm forwards it. So a second signal does not mean "hurry".
    process.on(signal, () => void run().then(() => process.exit(options.signalExitCode(signal))))
  }
  return { add: (undo) => steps.push(undo), run }
}
