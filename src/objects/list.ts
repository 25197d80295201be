/** The list envelope. */
import { z } from 'zod'

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

export function presentList<Url extends string, Item>(url: Url, data: Item[], hasMore: boolean) {
  return { object: 'list' as const, url, hasMore, data }
}
