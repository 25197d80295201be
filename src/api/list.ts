/** The list envelope. */
import { z } from 'zod'
import { Json, Member, memberKey, refuseBeyondMax, toJson } from '../codec/json.ts'

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
  const list = new Json(toJson({ object: 'list', url, hasMore }).text, [new Member(memberKey('data'), data)])
  refuseBeyondMax(list.bytes, 'limit')
  return list
}
