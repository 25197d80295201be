/** Signals to a process with all of its descendants. */
import { readFileSync, readdirSync } from 'node:fs'

/** Parents come first, so that a stopped parent starts no other process. */
export function treeOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null
    if (parent !== null) parents.set(Number(name), parent)
  }
  const descendantsOf = (one: number): number[] =>
    [...parents].filter(([, parent]) => parent === one).flatMap(([child]) => [child, ...descendantsOf(child)])
  return [pid, ...descendantsOf(pid)]
}

function parentOf(pid: number): number | null {
  try {
    // The parent is the second field after the name in parentheses, which can contain any character.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(parent)
  } catch {
    // The process has just ended.
    return null
  }
}

/** Ignores a process that has just ended. */
export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
