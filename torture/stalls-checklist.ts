/** The largest checklist that a key can create, opened and polled. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createClient } from './client.ts'
import type { Answer } from './client.ts'
import { atMost, exactly, largest } from './item.ts'
import type { Figure } from './item.ts'
import { GOOD_KEY } from './service.ts'
import type { Service } from './service.ts'

const EVENT = 'event_0246_1'
const TASKS = 1_000
/** Each character has six bytes in JSON. */
const DESCRIPTION = '\u0001'.repeat(10_000)
const READERS = 4
const POLLS = 20

export async function checklistFigures({ port, pid }: Service, cookie: string): Promise<Figure[]> {
  const body = JSON.stringify({ eventId: EVENT, description: DESCRIPTION })
  const create = { path: '/api/task/create', key: GOOD_KEY, body }
  const created = (await inParallel(port, TASKS, (send) => send(create))).filter(
    ({ status }) => status === 201,
  )
  const before = resetPeak(pid)
  const path = `/console/events/${EVENT}/tasks`
  const headers = { cookie }
  const pages = await inParallel(port, READERS, (send) => send({ path, headers }))
  const page = pages.find(({ status }) => status === 200)
  const { version } = JSON.parse(page?.text ?? '{}') as { version: string }
  const poll = { path: `${path}?version=${encodeURIComponent(version)}`, headers }
  const polls = await inParallel(port, READERS * POLLS, (send) => send(poll))
  const memory = peakBytes(pid) - before
  await inParallel(port, 1, (send) => send(create))
  const [changed] = await inParallel(port, 1, (send) => send(poll))
  // A busy machine rejects some with 503.
  const others = [...pages, ...polls].filter(({ status }) => ![200, 204, 503].includes(status))
  return [
    exactly('tasks of 10,000 control characters on one event', created.length, TASKS),
    atMost('their checklist: responses other than 200, 204 and 503', others.length, 0),
    atMost('their checklist: the largest response', megabytes(pages), 32, 'MB'),
    atMost(
      'polls without a change: the largest response',
      megabytes(polls.filter(({ status }) => status !== 503)),
      0,
      'MB',
      `${polls.length} polls`,
    ),
    atMost('a poll after a change', megabytes(changed === undefined ? [] : [changed]), 0.1, 'MB'),
    atMost(
      'additional memory at the peak',
      Math.round(memory / 1e6),
      256,
      'MB',
      `${READERS} concurrent readers`,
    ),
  ]
}

type Send = ReturnType<typeof createClient>['send']

async function inParallel(
  port: number,
  times: number,
  work: (send: Send) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let left = times
  const client = async () => {
    const { send, close } = createClient(port)
    while (left-- > 0) answers.push(await work(send))
    close()
  }
  await Promise.all(Array.from({ length: READERS }, client))
  return answers
}

const megabytes = (answers: readonly Answer[]) =>
  Math.round(largest(answers.map(({ text }) => Buffer.byteLength(text))) / 1e3) / 1e3

/** Resets the peak, and returns the current memory. */
function resetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return peakBytes(pid)
}

function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
