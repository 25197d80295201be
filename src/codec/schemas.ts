/** Schemas that are not derived from columns, and conversions of values from the database. */
import { z } from 'zod'
import { isoFromPostgres } from '../core/schedule/datetime.ts'

export const id = (what: string) => z.string().meta({ description: `Id of the ${what}.` })

export const text = (description: string) => z.string().meta({ description })

/** Values that a later release may add to: the service sends only these, and the documentation allows any other text. */
export const openEnum = <const Values extends readonly [string, ...string[]] | readonly string[]>(
  values: Values,
  description: string,
) => z.enum(values).meta({ description: `${description} More values may be added.`, [OPEN]: true })

/** The mark of an enumeration that the documentation leaves open. */
export const OPEN = 'x-open'

export const cents = (description: string) =>
  z.int().meta({ description: `${description} In the currency's minor unit.` })

export const Currency = z
  .strictObject({ isoCode: z.string().meta({ description: 'ISO 4217 code.' }) })
  .meta({ id: 'Currency' })

export const isoOrNull = (time: string | null) => (time === null ? null : isoFromPostgres(time))

/** The creation and update times that nearly every row has. */
export const isoTimes = (row: { createdAt: string; updatedAt: string }) => ({
  createdAt: isoFromPostgres(row.createdAt),
  updatedAt: isoFromPostgres(row.updatedAt),
})
