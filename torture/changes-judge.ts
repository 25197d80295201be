/** Compares the API with the copies of followers of the feed, and with acknowledged writes. */
import { isDeepStrictEqual } from 'node:util'
import type { Change, Copy } from './changes-followers.ts'
import { outcomeOf } from './changes-writers.ts'
import type { Acknowledged, Members } from './changes-writers.ts'
import { createClient } from './client.ts'
import { atLeast, atMost } from './item.ts'
import type { Figure } from './item.ts'
import { GOOD_KEY } from './service.ts'

export async function newestSequence(port: number): Promise<number> {
  const [change] = await readAll<Change>(port, '/api/changes?order=desc&limit=1', 1)
  return change?.sequence ?? 0
}

type Objects = Map<string, Members>

const LISTS = ['leads', 'tasks', 'quotes', 'bookings', 'events', 'invoices']

export async function readObjects(port: number): Promise<Objects> {
  const objects: Objects = new Map()
  for (const list of LISTS) {
    const listed = await readAll<Members & { id: string }>(port, `/api/${list}?limit=100`)
    for (const object of listed) objects.set(object.id, object)
  }
  return objects
}

/** All objects of a list, or the first ones. */
async function readAll<Listed extends { id: string }>(
  port: number,
  path: string,
  max = Infinity,
): Promise<Listed[]> {
  const client = createClient(port)
  const items: Listed[] = []
  for (;;) {
    const last = items.at(-1)
    const after = last === undefined ? '' : `&starting_after=${last.id}`
    const answer = await client.send({ path: `${path}${after}`, key: GOOD_KEY })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    const { data, hasMore } = JSON.parse(answer.text) as { data: Listed[]; hasMore: boolean }
    items.push(...data)
    if (hasMore && items.length < max) continue
    client.close()
    return items
  }
}

interface Results {
  copies: readonly Copy[]
  acknowledged: readonly Acknowledged[]
  leastSaved: number
}

/** `earlier` are the objects of the demo world, before the writers started. */
export function judge(
  { earlier, current }: { earlier: Objects; current: Objects },
  { copies, acknowledged, leastSaved }: Results,
): Figure[] {
  const created = [...current.values()].filter(({ id }) => !earlier.has(String(id)))
  const createdIds = created.map(({ id }) => String(id))
  const differences = copies.flatMap(({ objects }) =>
    [...new Set([...createdIds, ...objects.keys()])].filter(
      (id) => !isDeepStrictEqual(current.get(id), objects.get(id)),
    ),
  )
  const outcomes = acknowledged.map((one) => outcomeOf(one, current.get(one.id) ?? null))
  const count = (outcome: (typeof outcomes)[number]) => outcomes.filter((one) => one === outcome).length
  const known = new Set(acknowledged.map(({ id }) => id))
  // The leads of quotes and the objects of bookings are created together with others.
  const unknown = created.filter(
    ({ id, object }) => !known.has(String(id)) && (object === 'quote' || object === 'task'),
  )
  return [
    atLeast('objects with an acknowledged write', acknowledged.length, 100),
    atLeast(
      'writes that were saved although their response was lost',
      unknown.length + count('saved without a response'),
      leastSaved,
      `${count('not saved')} changes were not saved`,
    ),
    atMost('gaps and duplicates in the feed', sum(copies.map(({ gaps }) => gaps)), 0),
    atMost('changes older than their predecessor', sum(copies.map(({ backwards }) => backwards)), 0),
    atLeast('objects compared', created.length, 100, describeKinds(created)),
    atMost(
      'objects that differ between a copy of the feed and the API',
      differences.length,
      0,
      '',
      differences[0],
    ),
    atMost('acknowledged writes lost or undone', count('wrong'), 0),
  ]
}

function describeKinds(objects: readonly Members[]): string {
  const kinds = objects.map(({ object }) => String(object))
  return [...new Set(kinds)]
    .map((kind) => `${kinds.filter((one) => one === kind).length} × ${kind}`)
    .join(', ')
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
