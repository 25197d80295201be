/** Changes: the entries of the change log. */
import { z } from 'zod'
import { ACTOR_TYPES, CHANGE_TYPES } from '../../core/change-log/change-types.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  bigInteger,
  computed,
  filledText,
  json,
  ofCompany,
  oneOf,
  openOneOf,
  text,
  time,
} from '../../codec/column-types.ts'
import { id, openEnum, text as publicText } from '../../codec/schemas.ts'

/** The user, key or system that made the change, and the record it changed. The audit log has the same columns. */
export const ACTOR_AND_SUBJECT = {
  actorType: oneOf(ACTOR_TYPES).internal(),
  actorId: filledText().nullable().internal(),
  actorName: text().nullable().internal(),
  subjectObject: text().internal(),
  subjectId: filledText().internal(),
}

export const CHANGE_COLUMNS = defineColumns('change', 'changes', {
  id: computed(publicText('`chg_` and the sequence.')),
  companyId: ofCompany(),
  sequence: bigInteger('Numbers the changes of the company: 1, 2, 3, without gaps.'),
  type: openOneOf(CHANGE_TYPES, 'What happened.'),
  createdAt: time('When it was written.'),
  ...ACTOR_AND_SUBJECT,
  actor: computed(
    z
      .strictObject({
        type: openEnum(ACTOR_TYPES, 'Who made the change.'),
        id: z.string().nullable(),
        name: z.string().nullable(),
      })
      .meta({ id: 'Actor' }),
  ),
  subject: computed(
    z
      .strictObject({ object: publicText('Type of the object that changed.'), id: id('object that changed') })
      .meta({ id: 'ChangeSubject' }),
  ),
  data: json().shownAs(
    z
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
  ),
  previous: json().shownAs(
    z.looseObject({}).meta({
      description:
        'The old value of each member that changed. Empty if the object was created, all of it if it was deleted.',
    }),
  ),
})
