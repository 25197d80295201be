/** The fields of the world format, derived from the columns of a record type. */
import { columnName, referenceOf } from '../codec/column.ts'
import type { Column, ColumnType, Columns } from '../codec/column.ts'
import {
  apiKeyHash,
  boolean,
  color,
  country,
  currency,
  endpointTypes,
  endpointUrl,
  filledText,
  id,
  idList,
  idListUpTo,
  integer,
  integerUpTo,
  locale,
  logo,
  money,
  networkList,
  oneOf,
  originListUpTo,
  passwordHash,
  percentage,
  quantity,
  revisionContent,
  slug,
  text,
  textListUpTo,
  time,
  timeZone,
} from './field-types.ts'
import type { FieldType } from './field-types.ts'
import { objectList, oneObject, shapeOf } from './fields.ts'
import type { Field } from './fields.ts'

type ListType = 'enum' | 'idList' | 'originList' | 'textList' | 'object' | 'objects'

/** Of record types that the world does not have. */
type OtherType = 'bigInteger' | 'json'

/** The types that need no more than their name. */
const FIELD_TYPES: Record<Exclude<ColumnType, ListType | OtherType>, FieldType> = {
  text,
  filledText,
  id,
  time,
  boolean,
  integer,
  money,
  percentage,
  quantity,
  currency,
  timeZone,
  country,
  locale,
  color,
  logo,
  revisionContent,
  apiKeyHash,
  passwordHash,
  networkList,
  endpointUrl,
  endpointTypes,
  slug,
}

function fieldType({ facts }: Column): FieldType {
  const { type, values = [], max, itemsMax = Infinity, items = {}, distinctBy } = facts
  if (type === 'enum') return oneOf(values)
  if (type === 'integer' && max !== undefined) return integerUpTo(max)
  if (type === 'idList') return itemsMax === Infinity ? idList : idListUpTo(itemsMax)
  if (type === 'originList') return originListUpTo(itemsMax)
  if (type === 'textList') return textListUpTo(itemsMax)
  if (type === 'object') return oneObject(shapeOf(fieldsOf(items)))
  if (type === 'objects') return objectList(shapeOf(fieldsOf(items)), distinctBy)
  if (type === 'bigInteger' || type === 'json') throw new Error(`the world has no fields of type ${type}`)
  return FIELD_TYPES[type]
}

function fieldOf(name: string, column: Column): Field {
  const { facts } = column
  const references = referenceOf(name, column)
  const isRequired = !facts.isNullable && facts.default === undefined && !facts.isKeptWhenAbsent
  return {
    name,
    column: columnName(name),
    type: fieldType(column),
    ...(isRequired && { required: true }),
    ...(facts.default !== undefined && { default: facts.default }),
    ...(references !== undefined && { references }),
    ...(facts.isOwner && { owner: true }),
    ...(facts.exactlyWith && { exactlyWith: facts.exactlyWith }),
    ...(facts.isKeptWhenAbsent && { keptWhenAbsent: true }),
  }
}

export function fieldsOf(columns: Columns): Field[] {
  return Object.entries(columns)
    .filter(([, { facts }]) => facts.isOutsideWorld !== true)
    .map(([name, column]) => fieldOf(name, column))
}
