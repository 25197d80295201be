/**
 * Wakes up requests and workers of this process when a company has recorded a change. One connection listens for all of them.
 * Notifications can be lost, and a pooler does not deliver any, so the watched companies are also checked every second.
 */
import type { Logger } from 'pino'
import type { Connection } from '../db/connect.ts'
import { listen } from '../db/listen.ts'
import type { Db } from '../db/statement.ts'
import { CHANGES_CHANNEL } from '../records/change/announce.ts'
import { findLastSequences } from '../records/change/list.ts'

export interface ChangeListener {
  watch: (companyId: string) => ChangeWatch
  /** Called when any company has recorded a change. Returns a function that stops it. Notifications can be lost, so also check now and then. */
  onChange: (listener: () => void) => () => void
  /** Of one company, or of all. */
  countWatches: (companyId?: string) => number
  /** Ends all waits. */
  stop: () => Promise<void>
}

interface ChangeWatch {
  /**
   * Resolves to true when the company has recorded a change since the last call, or since the watch began. False after this
   * time, and when the watch is closed or the server stops.
   */
  next: (ms: number) => Promise<boolean>
  close: () => void
}

export interface ListenerOptions {
  connection: Connection
  /** For the checks. */
  db: Db
  log: Pick<Logger, 'warn'>
}

const CHECK_MS = 1_000

export function createChangeListener({ connection, db, log }: ListenerOptions): ChangeListener {
  const watches = new Map<string, Set<Watch>>()
  /** Of the watched companies. */
  const lastSequences = new Map<string, string>()
  let isStopping = false
  let stopListening: (() => Promise<void>) | undefined
  let checks: NodeJS.Timeout | undefined

  const listeners = new Set<() => void>()
  const wake = (companyId: string) => {
    for (const listener of listeners) listener()
    for (const watch of watches.get(companyId) ?? []) watch.wake()
  }
  const wakeAll = () => {
    for (const companyId of watches.keys()) wake(companyId)
  }

  const check = async () => {
    const companyIds = [...watches.keys()]
    if (companyIds.length === 0) return
    const found = await findLastSequences(db, companyIds)
    for (const [companyId, sequence] of found) {
      if (lastSequences.get(companyId) === sequence || !watches.has(companyId)) continue
      lastSequences.set(companyId, sequence)
      wake(companyId)
    }
  }

  /** With the first watch: a process without waiting requests needs no connection. */
  const start = () => {
    if (connection.pooler === undefined) stopListening = listenForChanges(connection, wake, wakeAll, log)
    // A failed check is repeated in a second.
    checks = setInterval(() => void check().catch(() => undefined), CHECK_MS).unref()
  }

  const add = (companyId: string): ChangeWatch => {
    const watch = createWatch()
    const ofCompany = watches.get(companyId) ?? new Set()
    watches.set(companyId, ofCompany.add(watch))
    const close = () => {
      watch.end()
      if (ofCompany.delete(watch) && ofCompany.size === 0) {
        watches.delete(companyId)
        lastSequences.delete(companyId)
      }
    }
    return { next: watch.next, close }
  }

  return {
    watch: (companyId) => {
      if (isStopping) return { next: async () => false, close: () => undefined }
      if (checks === undefined) start()
      return add(companyId)
    },
    onChange: (listener) => {
      if (checks === undefined && !isStopping) start()
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    countWatches: (companyId) =>
      companyId === undefined
        ? [...watches.values()].reduce((sum, { size }) => sum + size, 0)
        : (watches.get(companyId)?.size ?? 0),
    stop: async () => {
      isStopping = true
      clearInterval(checks)
      for (const ofCompany of watches.values()) for (const watch of ofCompany) watch.end()
      await stopListening?.()
    },
  }
}

function listenForChanges(
  connection: Connection,
  wake: (companyId: string) => void,
  wakeAll: () => void,
  log: ListenerOptions['log'],
): () => Promise<void> {
  let isWarned = false
  return listen({
    connection,
    channel: CHANGES_CHANNEL,
    onMessage: wake,
    onConnected: () => {
      isWarned = false
      wakeAll()
    },
    onError: (error) => {
      if (!isWarned) log.warn({ err: error }, 'cannot listen for changes; checking every second')
      isWarned = true
    },
  })
}

interface Watch {
  next: ChangeWatch['next']
  wake: () => void
  end: () => void
}

function createWatch(): Watch {
  let [isWoken, isEnded] = [false, false]
  let resolve: (() => void) | undefined
  return {
    next: async (ms) => {
      if (!isWoken && !isEnded) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((done) => {
          resolve = done
          timer = setTimeout(done, ms)
        })
        clearTimeout(timer)
      }
      const isChanged = isWoken && !isEnded
      isWoken = false
      return isChanged
    },
    wake: () => {
      isWoken = true
      resolve?.()
    },
    end: () => {
      isEnded = true
      resolve?.()
    },
  }
}
