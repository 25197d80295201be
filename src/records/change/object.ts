/** The change object: an entry of the change log. */
import { z } from 'zod'
import { ACTOR_TYPES, CHANGE_TYPES, changeId } from '../../core/change-log/change-types.ts'
import { isoFromPostgres } from '../../core/schedule/datetime.ts'
import { jsonOfText } from '../../codec/json.ts'
import type { Json } from '../../codec/json.ts'
import { id, openEnum, text } from '../../codec/schemas.ts'
import type { ChangeRow } from './list.ts'

export const Change = z
  .strictObject({
    object: z.literal('change'),
    id: text('`chg_` and the sequence.'),
    sequence: z.int().meta({ description: 'Numbers the changes of the company: 1, 2, 3, without gaps.' }),
    type: openEnum(CHANGE_TYPES, 'What happened.'),
    createdAt: z.string().meta({ format: 'date-time', description: 'When it was written.' }),
    actor: z
      .strictObject({
        type: openEnum(ACTOR_TYPES, 'Who made the change.'),
        id: z.string().nullable(),
        name: z.string().nullable(),
      })
      .meta({ id: 'Actor' }),
    subject: z
      .strictObject({ object: text('Type of the object that changed.'), id: id('object that changed') })
      .meta({ id: 'ChangeSubject' }),
    data: z
      .looseObject({
        object: z.looseObject({}).nullable().meta({
          description: 'The object right after the write, without expansion. Null if it was deleted.',
        }),
        counts: z
          .record(z.string(), z.int())
          .optional()
          .meta({ description: 'Of an import: the number of records by type.' }),
      })
      .meta({ id: 'ChangeData', description: 'Some types have further members.' }),
    previous: z.looseObject({}).meta({
      description:
        'The old value of each member that changed. Empty if the object was created, all of it if it was deleted.',
    }),
  })
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
