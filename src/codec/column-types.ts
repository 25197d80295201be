/** The column types, as the tables in `records/<noun>/columns.ts` write them. Descriptions are for the API documentation. */
import type { z } from 'zod'
import { Column, Computed } from './column.ts'
import type { Columns } from './column.ts'

/** Public unless `.internal()` follows. */
type Public<Row, Shown = Row> = Column<Row, Shown, true>

/** A text that can be empty. */
export const text = (description?: string): Public<string> => new Column({ type: 'text', description })

/** A text that is never empty. */
export const filledText = (description?: string): Public<string> =>
  new Column({ type: 'filledText', description })

export const id = (what: string): Public<string> =>
  new Column({ type: 'id', description: `Id of the ${what}.` })

/** In rows as PostgreSQL prints it, in public objects as ISO 8601 in UTC with milliseconds. */
export const time = (description?: string): Public<string> => new Column({ type: 'time', description })

export const boolean = (description?: string): Public<boolean> => new Column({ type: 'boolean', description })

/** From 0 to 2^31 - 1. */
export const integer = (description?: string): Public<number> => new Column({ type: 'integer', description })

/** In rows the exact digits. */
export const bigInteger = (description?: string): Public<string, number> =>
  new Column({ type: 'bigInteger', description })

export const integerUpTo = (max: number): Public<number> => new Column({ type: 'integer', max })

/** Minor units of a currency. */
export const money = (description = ''): Public<number> =>
  new Column({ type: 'money', description: `${description} In the currency's minor unit.`.trim() })

/** In rows the exact decimal text. */
export const percentage = (description = ''): Public<string, number> =>
  new Column({ type: 'percentage', description: `${description} In percent: 8.875 means 8.875 %.`.trim() })

/** In rows the exact decimal text. */
export const quantity = (description?: string): Public<string, number> =>
  new Column({ type: 'quantity', description })

/** In rows the ISO 4217 code. */
export const currency = (): Public<string, { isoCode: string }> => new Column({ type: 'currency' })

/** An ISO 4217 code, also where the API would show an object: for members of objects. */
export const currencyCode = (): Public<string> => new Column({ type: 'currency' })

export const timeZone = (description?: string): Public<string> =>
  new Column({ type: 'timeZone', description })

/** ISO 3166-1 alpha-2. */
export const country = (): Public<string> => new Column({ type: 'country' })

/** A BCP 47 language tag. */
export const locale = (): Public<string> => new Column({ type: 'locale' })

/** Such as #1f6f5c, readable on white. */
export const color = (): Public<string> => new Column({ type: 'color' })

/** A data URL. */
export const logo = (): Public<string> => new Column({ type: 'logo' })

/** The canonical JSON of a revision. */
export const revisionContent = () =>
  new Column<string, never, false>({ type: 'revisionContent', isInternal: true })

export const oneOf = <const Value extends string>(
  values: readonly Value[],
  description?: string,
): Public<Value> => new Column({ type: 'enum', values, description })

/** Later releases may add values: the service sends only these, and the documentation allows any other text. */
export const openOneOf = <const Value extends string>(
  values: readonly Value[],
  description: string,
): Public<Value> =>
  new Column({ type: 'enum', values, isOpen: true, description: `${description} More values may be added.` })

/** Ids, all different. */
export const idList = (itemsMax = Infinity) =>
  new Column<string[], never, false>({ type: 'idList', itemsMax, isInternal: true })

/** IP addresses and CIDR blocks. */
export const networkList = () => new Column<string[], never, false>({ type: 'networkList', isInternal: true })

/** Where webhooks are sent. */
export const endpointUrl = (description?: string): Public<string> =>
  new Column({ type: 'endpointUrl', description })

/** The types of changes that a webhook endpoint receives. */
export const endpointTypes = () =>
  new Column<string[], never, false>({ type: 'endpointTypes', isInternal: true })

/** The last part of a public URL, unique over all companies. */
export const slug = (): Public<string> => new Column({ type: 'slug' })

/** Origins of web sites, such as https://example.com, all different. */
export const originList = (itemsMax: number) =>
  new Column<string[], never, false>({ type: 'originList', itemsMax, isInternal: true })

/** Texts that are not empty, all different. */
export const textList = (itemsMax: number) =>
  new Column<string[], never, false>({ type: 'textList', itemsMax, isInternal: true })

export const apiKeyHash = () => new Column<string, never, false>({ type: 'apiKeyHash', isInternal: true })

export const passwordHash = () => new Column<string, never, false>({ type: 'passwordHash', isInternal: true })

/** An object that is stored as one JSON value. */
export const object = <const Items extends Columns>(items: Items) =>
  new Column<{ [Name in keyof Items]: Items[Name]['types']['shown'] }, never, false>({
    type: 'object',
    items,
    isInternal: true,
  })

/** A list of objects that is stored as one JSON value. `distinctBy` names a member that differs in all of them. */
export const objects = <const Items extends Columns>(items: Items, distinctBy?: keyof Items & string) =>
  new Column<{ [Name in keyof Items]: Items[Name]['types']['shown'] }[], never, false>({
    type: 'objects',
    items,
    ...(distinctBy !== undefined && { distinctBy }),
    isInternal: true,
  })

/** A JSON value. In rows its text, as it is stored. */
export const json = () => new Column<string, never, false>({ type: 'json', isInternal: true })

/** A public member that is not a column. */
export const computed = <Shown>(schema: z.ZodType<Shown>) => new Computed<Shown>(schema)

/** The company that every record but the company itself belongs to. */
export const ofCompany = () => id('company').owner().internal()

/** When a record was created and last changed, not shown by the API. */
export const TIMES = {
  createdAt: time().keptWhenAbsent().internal(),
  updatedAt: time().keptWhenAbsent().internal(),
}

/** The same, shown by the API. */
export const publicTimes = (noun: string) => ({
  createdAt: time(`When the ${noun} was created.`).keptWhenAbsent(),
  updatedAt: time(`When the ${noun} was last changed.`).keptWhenAbsent(),
})
