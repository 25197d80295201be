/** A pool that notes every statement of any of its clients, also inside transactions. */
import type { Pool } from 'pg'
import { openPool } from '../../src/db/connect.ts'
import type { Connection, PoolPurpose } from '../../src/db/connect.ts'
import { atEnd } from './at-end.ts'

export function watchedPool(
  connection: Connection,
  purpose: PoolPurpose,
  onStatement: (text: string, values: readonly unknown[]) => void,
): Pool {
  const watched = openPool(connection, purpose, () => undefined)
  watched.on('connect', (client) => {
    const query = Reflect.get(client, 'query') as (...args: unknown[]) => unknown
    Reflect.set(client, 'query', (...args: unknown[]) => {
      const [first, second] = args as [string | { text: string; values?: unknown[] }, unknown]
      if (typeof first === 'string') onStatement(first, Array.isArray(second) ? second : [])
      else onStatement(first.text, first.values ?? [])
      return Reflect.apply(query, client, args)
    })
  })
  atEnd(() => watched.end())
  return watched
}
