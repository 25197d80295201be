/**
 * Limits how many requests are worked on at once. More than the database can work on would only take memory and CPU time
 * from each other, so the rest wait in a queue.
 *
 * The queue is limited by its length relative to the throughput. A request is refused on arrival if the queue is so long
 * that the request would wait too long. Accepted requests stay fast that way, and no work is left over when the load ends.
 * A short queue is never refused: on a starved host it moves slowly, but every request in it gets its response.
 */
import { ApiError } from '../core/requests/errors.ts'
import { createThroughput } from './throughput.ts'

/** A queue shorter than this is never full. It is enough for a burst on an idle server. */
const QUEUE_MIN = 100
/** A longer queue is full when the throughput of the last moments predicts a longer wait than this. */
const WAIT_GOAL_MS = 300
/** The longest wait in the queue. */
const WAIT_MAX_MS = 5_000
/**
 * If the timer fires this much late, the process itself got no CPU time, and responses of the database wait to be read.
 * They come first: the queue gets this much more time to move.
 */
const TIMER_LATE_MS = 100
const EXTRA_WAIT_MS = 1_000

/** Created once: at a thousand refusals per second, the stack trace of an error is expensive. */
const OVERLOADED = refusal('There are more requests than can be answered in time. Retry in a second.')
const DATABASE_HANGS = refusal('The database does not respond. Retry in a second.')

export interface Admission {
  /** Throws if the queue is full. Refusing a request before any work is done for it costs the least. */
  refuseIfFull: () => void
  /** Does the work when a slot is free. Work that continues without its slot can release it early, and take one again. */
  run: <Result>(
    work: (release: () => void, retake: () => Promise<void>) => Promise<Result>,
  ) => Promise<Result>
  counts: () => AdmissionCounts
}

export interface AdmissionCounts {
  active: number
  waiting: number
}

export interface AdmissionOptions {
  waitMaxMs?: number
  /** Registers a listener for database hangs. All queued requests are refused then: none of them would be served in time. */
  onDatabaseHang?: ((listener: () => void) => void) | undefined
  /** The clock, in milliseconds. */
  now?: () => number
}

interface Waiting {
  since: number
  admit: () => void
  refuse: (error: ApiError) => void
}

export function createAdmission(slots: number, options: AdmissionOptions = {}): Admission {
  const { onDatabaseHang, now = () => performance.now() } = options
  let active = 0
  const throughput = createThroughput(now)
  const queue = createQueue(options.waitMaxMs ?? WAIT_MAX_MS, now)
  onDatabaseHang?.(() => queue.refuseAll(DATABASE_HANGS))

  const refuseIfFull = () => {
    if (queue.size() < QUEUE_MIN) return
    if (queue.size() >= throughput.expectedIn(WAIT_GOAL_MS)) throw OVERLOADED
  }

  const leave = () => {
    throughput.add()
    // The next one takes over the slot.
    if (!queue.admitFirst()) active--
  }

  const take = async () => {
    refuseIfFull()
    await queue.wait()
  }

  return {
    refuseIfFull,
    run: async (work) => {
      if (active < slots) active++
      else await take()
      let hasSlot = true
      const release = () => {
        if (hasSlot) leave()
        hasSlot = false
      }
      const retake = async () => {
        if (active < slots) active++
        else await take()
        hasSlot = true
      }
      try {
        return await work(release, retake)
      } finally {
        release()
      }
    },
    counts: () => ({ active, waiting: queue.size() }),
  }
}

interface Queue {
  size: () => number
  /** Resolves when admitted, in the order of arrival. */
  wait: () => Promise<void>
  /** False if the queue is empty. */
  admitFirst: () => boolean
  refuseAll: (error: ApiError) => void
}

function createQueue(waitMaxMs: number, now: () => number): Queue {
  const queue = new Set<Waiting>()
  let isTimed = false

  /** One timer for the whole queue: the first request is always the next one to time out. */
  const startTimer = (ms: number) => {
    isTimed = true
    const dueAt = now() + ms
    setTimeout(() => {
      isTimed = false
      if (queue.size === 0) return
      if (now() - dueAt > TIMER_LATE_MS) startTimer(EXTRA_WAIT_MS)
      else refuseTimedOut()
    }, ms).unref()
  }
  const refuseTimedOut = () => {
    for (const waiting of queue) {
      const leftMs = waiting.since + waitMaxMs - now()
      if (leftMs > 0) {
        startTimer(leftMs)
        return
      }
      queue.delete(waiting)
      waiting.refuse(OVERLOADED)
    }
  }

  return {
    size: () => queue.size,
    wait: () =>
      new Promise<void>((admit, refuse) => {
        queue.add({ since: now(), admit, refuse })
        if (!isTimed) startTimer(waitMaxMs)
      }),
    admitFirst: () => {
      const [first] = queue
      if (first === undefined) return false
      queue.delete(first)
      first.admit()
      return true
    },
    refuseAll: (error) => {
      for (const { refuse } of queue) refuse(error)
      queue.clear()
    },
  }
}

function refusal(message: string): ApiError {
  return new ApiError('auth_service_unavailable', { message, headers: { 'retry-after': '1' } })
}
