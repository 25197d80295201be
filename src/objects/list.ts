/** The list envelope. */
import { z } from 'zod'
import { jsonArray, refuseBeyondMax, toJson, withMembers } from '../core/json.ts'
import type { Json } from '../core/json.ts'

/** The envelope of one list: where it is, whether another page follows, and its objects. */
export function listOf<Item extends z.ZodType>(item: Item, name: string, url: string) {
  return z
    .strictObject({
      object: z.literal('list'),
      url: z.literal(url),
      hasMore: z.boolean().meta({ description: 'Whether another page follows.' }),
      data: z.array(item),
    })
    .meta({ id: name })
}

export function presentList(url: string, data: readonly Json[], hasMore: boolean): Json {
  refuseBeyondMax(
    data.reduce((bytes, { length }) => bytes + length, 0),
    'limit',
  )
  return withMembers(toJson({ object: 'list', url, hasMore }), [['data', jsonArray(data)]])
}
