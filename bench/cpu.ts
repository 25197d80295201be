/** CPU time of processes, from /proc. Unlike elapsed time, it depends little on other programs. */
import { readFileSync, readdirSync } from 'node:fs'

/** Clock ticks of /proc are hundredths of a second on all supported Linux systems. */
const TICK_MS = 10

interface ProcessTimes {
  parent: number
  /** User and system time. */
  ownMs: number
  /** User and system time of children that have ended. */
  endedChildrenMs: number
}

function readTimes(pid: number | 'self'): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields after the name in parentheses, which can contain any character.
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (place: number) => Number(rest[place]) * TICK_MS
    return { parent: Number(parent), ownMs: ticks(9) + ticks(10), endedChildrenMs: ticks(11) + ticks(12) }
  } catch {
    return null
  }
}

/** The times of a process and its descendants. */
function treeTimes(pid: number): Map<number, ProcessTimes> {
  const times = new Map<number, ProcessTimes>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readTimes(Number(name)) : null
    if (found !== null) times.set(Number(name), found)
  }
  const isInside = (candidate: number): boolean =>
    candidate === pid || (times.has(candidate) && isInside(times.get(candidate)?.parent ?? 0))
  return new Map([...times].filter(([candidate]) => isInside(candidate)))
}

/** CPU time of a process and its descendants, including children that have ended. */
export function treeCpuMs(pid: number): number {
  const times = treeTimes(pid)
  let sum = times.get(pid)?.endedChildrenMs ?? 0
  for (const [candidate, { ownMs }] of times) sum += threadsCpuMs(candidate) ?? ownMs
  return sum
}

/** Memory of a process and its descendants; memory that they share counts once. */
export function treeMemoryBytes(pid: number): number {
  let sum = 0
  for (const member of treeTimes(pid).keys()) {
    try {
      const shares = readFileSync(`/proc/${member}/smaps_rollup`, 'utf8')
      sum += Number(/^Pss:\s+(\d+)/m.exec(shares)?.[1] ?? 0) * 1024
    } catch {
      // The process has just ended.
    }
  }
  return sum
}

/** CPU time of the current threads, from counters in nanoseconds, because ticks are too coarse for short runs. */
function threadsCpuMs(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + threadCpuUs(`${pid}/task/${thread}`) / 1000, 0)
  } catch {
    return null
  }
}

/** CPU time of this process's children that have ended. */
export function endedChildrenCpuMs(): number {
  return readTimes('self')?.endedChildrenMs ?? 0
}

/** CPU time of a thread, or of a process with one thread such as a database backend. */
export function threadCpuUs(thread: number | string): number {
  return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000
}

export function parentOf(pid: number): number {
  const times = readTimes(pid)
  if (times === null) throw new Error(`process ${pid} not found: the database must run on this machine`)
  return times.parent
}

/** Resident memory of a process. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}
