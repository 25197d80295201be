/** Writers of contacts. Their changes are delivered as webhooks. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.ts'
import type { Random } from './random.ts'
import { chooseKey, sendWrite } from './send-write.ts'
import { GOOD_KEY } from './service.ts'
import type { Service } from './service.ts'

interface World {
  /** Killed services are replaced. */
  services: readonly Service[]
  random: Random
}

/** Creates and changes contacts, some of them often. Writes without a key are not repeated if their response is lost. */
export function startWriters(
  { services, random }: World,
  name: string,
  { writers, pauseMs }: { writers: number; pauseMs: number },
) {
  const state = { isStopping: false }
  let writes = 0
  const pickClient = () => createClient(random.pick(services).port, { keepAlive: false })
  const write = async (writer: number) => {
    const ids: string[] = []
    for (let i = 0; !state.isStopping; i++) {
      const firstName = `${name}-${writer}-${i}`
      const isNew = ids.length === 0 || random.fraction() < 0.2
      const path = isNew ? '/api/leads' : `/api/leads/${random.pick(ids)}`
      const call = { path, key: GOOD_KEY, body: JSON.stringify({ firstName }) }
      const answer = await sendWrite(pickClient, call, chooseKey(random, firstName))
      if (answer !== null && answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      if (answer !== null && isNew) ids.push((JSON.parse(answer.text) as { id: string }).id)
      if (answer !== null) writes++
      await sleep(pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: writers }, (_, i) => write(i)))
  return {
    /** Number of acknowledged writes */
    count: () => writes,
    stop: async () => {
      state.isStopping = true
      await done
    },
  }
}
