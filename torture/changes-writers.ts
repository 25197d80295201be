/** Writers of leads, tasks, quotes, bookings, events and invoices, on several processes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from './client.ts'
import type { Random } from './random.ts'
import { chooseKey, sendWrite } from './send-write.ts'
import { GOOD_KEY } from './service.ts'

type Kind = 'leads' | 'tasks' | 'quotes' | 'events' | 'invoices'
export type Members = Record<string, unknown>

/** The state of an object after its last acknowledged write. */
export interface Acknowledged {
  id: string
  /** Null if it was deleted. */
  object: Members | null
  /** Members of a later write that got no response. Null if it deletes the object */
  unknown?: Members | null
}

/** The last two are for objects whose last write got no response. */
export type Outcome = 'acknowledged' | 'wrong' | 'saved without a response' | 'not saved'

export function outcomeOf({ object, unknown }: Acknowledged, current: Members | null): Outcome {
  if (isDeepStrictEqual(current, object)) return unknown === undefined ? 'acknowledged' : 'not saved'
  if (unknown === undefined) return 'wrong'
  const isSaved =
    unknown === null || current === null
      ? unknown === current
      : Object.entries(unknown).every(([name, value]) => current[name] === value)
  return isSaved ? 'saved without a response' : 'wrong'
}

interface Writer {
  objects: Map<string, Acknowledged>
  create: (kind: Kind, body: Members) => Promise<void>
  change: (kind: Kind, changeOf: (object: Members) => Change) => Promise<Members | null>
  read: (path: string) => Promise<Members[]>
  keep: (kind: Kind, objects: readonly Members[]) => void
  close: () => void
}

interface Change {
  /** Appended to the path of the object */
  verb?: string
  /** Null deletes the object. */
  body: Members | null
  /** Members of the object that identify the change. Those of the body by default */
  shown?: Members
  /** Whether the object is not written again. */
  isLast?: boolean
}

/** Each writer changes only its own objects. */
function createWriter(ports: readonly number[], name: string, random: Random): Writer {
  const clients = ports.map((port) => createClient(port))
  const pickClient = () => random.pick(clients)
  const objects = new Map<string, Acknowledged>()
  const changeable: Record<Kind, Members[]> = { leads: [], tasks: [], quotes: [], events: [], invoices: [] }
  let writes = 0
  const send = async (path: string, body: Members | null): Promise<Members | null> => {
    const request = body === null ? { method: 'DELETE' } : { body: JSON.stringify(body) }
    const key = chooseKey(random, `${name}-${++writes}`)
    const answer = await sendWrite(pickClient, { path, key: GOOD_KEY, ...request }, key)
    if (answer === null) return null
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return JSON.parse(answer.text) as Members
  }
  const keep: Writer['keep'] = (kind, kept) => {
    for (const object of kept) objects.set(String(object['id']), { id: String(object['id']), object })
    changeable[kind].push(...kept)
  }
  return {
    objects,
    keep,
    create: async (kind, body) => {
      const object = await send(`/api/${kind}`, body)
      // Without a response the id is unknown. The comparison of the feed with the API covers the object.
      if (object !== null) keep(kind, [object])
    },
    change: async (kind, changeOf) => {
      if (changeable[kind].length === 0) return null
      const [object = {}] = changeable[kind].splice(random.between(0, changeable[kind].length - 1), 1)
      const id = String(object['id'])
      const { verb = '', body, shown = body, isLast = false } = changeOf(object)
      const changed = await send(`/api/${kind}/${id}${verb}`, body)
      if (changed === null) objects.set(id, { id, object, unknown: shown })
      else objects.set(id, { id, object: body === null ? null : changed })
      // Objects with an unknown state are not written again.
      if (changed !== null && !isLast) changeable[kind].push(changed)
      return changed
    },
    read: async (path) => {
      for (;;) {
        const answer = await pickClient().send({ path, key: GOOD_KEY })
        if (answer.status === 200) return (JSON.parse(answer.text) as { data: Members[] }).data
        await sleep(20)
      }
    },
    close: () => clients.forEach(({ close }) => close()),
  }
}

/** Writes until `isWriting` is false. */
export async function write(
  ports: readonly number[],
  name: string,
  random: Random,
  isWriting: () => boolean,
): Promise<Acknowledged[]> {
  const writer = createWriter(ports, name, random)
  const choices = choicesOf(writer, random, () => `${name} ${random.between(1, 1e9)}`)
  while (isWriting()) await random.pick(choices)()
  writer.close()
  return [...writer.objects.values()]
}

const EVENT = 'event_0045_2'
const PRICE_CENTS = 1_000_000

function choicesOf(
  { create, change, read, keep }: Writer,
  random: Random,
  text: () => string,
): (() => Promise<unknown>)[] {
  const book = async () => {
    const shown = {}
    const quote = await change('quotes', () => ({ verb: '/book', body: {}, shown, isLast: true }))
    if (quote === null) return
    const filter = `booking_id=${String(quote['bookingId'])}`
    keep('events', await read(`/api/events?${filter}`))
    keep('invoices', await read(`/api/invoices?${filter}`))
  }
  const pay = () => {
    const amountCents = random.between(1, 100)
    return change('invoices', ({ amountPaid }) => ({
      verb: '/payments',
      body: { amountCents },
      shown: { amountPaid: Number(amountPaid) + amountCents },
    }))
  }
  const send = () => {
    const expiresAt = new Date(Date.UTC(2035, 0, 1) + random.between(1, 1e9)).toISOString()
    return change('quotes', () => ({ verb: '/send', body: { expiresAt } }))
  }
  const reprice = () => {
    const siteContactName = text()
    const body = { siteContactName, travelFeeCents: random.between(0, 1e6) }
    return change('quotes', () => ({ body, shown: { siteContactName } }))
  }
  const createTask = () => create('tasks', { eventId: EVENT, description: text() })
  return [
    () => create('leads', { firstName: text() }),
    () => change('leads', () => ({ body: { lastName: text(), phone: text() } })),
    createTask,
    createTask,
    () => change('tasks', () => ({ body: { completed: random.between(0, 1) === 1, description: text() } })),
    () => change('tasks', () => ({ body: null, isLast: true })),
    () => create('quotes', newQuote(text())),
    reprice,
    send,
    () => change('quotes', () => ({ verb: '/lose', body: { lostReason: 'PRICE' }, isLast: true })),
    book,
    () => change('events', () => ({ body: { siteContactName: text(), guestCount: random.between(1, 500) } })),
    pay,
  ]
}

/** Has a day, so that it can be booked, with a late due date, so that the status of its invoice does not change. */
function newQuote(description: string): Members {
  return {
    lead: { firstName: description },
    locationId: 'loc_brooklyn',
    eventAddress: 'Pier 4',
    paymentTermsId: 'terms_net_30',
    serviceDays: [{ serviceStartTime: '2035-06-01T12:00:00Z', serviceEndTime: '2035-06-01T18:00:00Z' }],
    lines: [{ kind: 'CUSTOM', description, priceCents: PRICE_CENTS }],
  }
}
