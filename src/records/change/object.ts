/** The change object: an entry of the change log. */
import { z } from 'zod'
import { changeId } from '../../core/change-log/change-types.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { jsonOfText } from '../../codec/json.ts'
import type { Json } from '../../codec/json.ts'
import { publicShape } from '../../codec/public-schema.ts'
import { CHANGE_COLUMNS } from './columns.ts'
import type { ChangeRow } from './list.ts'

export const Change = z
  .strictObject({ object: z.literal(CHANGE_COLUMNS.name), ...publicShape(CHANGE_COLUMNS) })
  .meta({ id: 'Change', description: 'One entry of the change log.' })

export function presentChange(row: ChangeRow): Json {
  return jsonOfText(changeText(row))
}

/** As JSON. Stored texts are inserted as they are. */
export function changeText(row: ChangeRow): string {
  const facts = JSON.stringify({
    object: 'change',
    id: changeId(row.sequence),
    sequence: Number(row.sequence),
    type: row.type,
    createdAt: isoFromPostgres(row.createdAt),
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    subject: { object: row.subjectObject, id: row.subjectId },
  })
  return `${facts.slice(0, -1)},"data":${row.data},"previous":${row.previous}}`
}
