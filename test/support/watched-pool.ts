/** A pool that reports every statement of its clients, including those in transactions. */
import type { Pool } from 'pg'
import { openPool } from '../../src/db/connect.ts'
import type { Connection, PoolPurpose } from '../../src/db/connect.ts'
import { atEnd } from './at-end.ts'

interface Sent {
  text: string
  values?: unknown[]
}

export function watchedPool(
  connection: Connection,
  purpose: PoolPurpose,
  onStatement: (text: string, values: readonly unknown[]) => void,
): Pool {
  const watched = openPool(connection, purpose, () => undefined)
  watched.on('connect', (client) => {
    const query = Reflect.get(client, 'query') as (...args: unknown[]) => unknown
    Reflect.set(client, 'query', (...args: unknown[]) => {
      const [first, second] = args as [string | Sent | { statements: Sent[] }, unknown]
      if (typeof first === 'string') onStatement(first, Array.isArray(second) ? second : [])
      else
        for (const { text, values } of 'statements' in first ? first.statements : [first])
          onStatement(text, values ?? [])
      return Reflect.apply(query, client, args)
    })
  })
  atEnd(() => watched.end())
  return watched
}
