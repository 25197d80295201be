/** How the pages show a kind of record: words, fields of the form, and columns of the list. */
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import type { FormValues } from './values.ts'

export interface Field {
  name: string
  label: string
  type:
    | 'text'
    | 'longText'
    | 'email'
    | 'phone'
    | 'url'
    | 'integer'
    | 'checkbox'
    | 'select'
    | 'percent'
    | 'money'
    | 'currency'
    | 'prices'
    | 'timeZone'
    | 'location'
    | 'lines'
    | 'contract'
  isOptional?: true
  /** Of a select. */
  options?: readonly (readonly [value: string, label: string])[]
  note?: string
  showIf?: (values: FormValues) => boolean
  /** Half of the width, beside the next one. */
  isHalf?: true
}

export interface KindView {
  path: RecordPath
  title: string
  /** `service` */
  noun: string
  plural: string
  about: string
  /** The empty list says what to do with it. */
  empty: string
  fields: readonly Field[]
  /** Of a new record. */
  blank: FormValues
  /** Columns of the list besides the name; the first stands under the name on a phone. */
  columns: readonly string[]
  filters?: readonly ('category' | 'locationId' | 'status')[]
  searchHint: string
}

/** All but the path, which the table of kinds adds. */
export type View = Omit<KindView, 'path'>

export const NAME: Field = { name: 'name', label: 'Name', type: 'text' }
export const DESCRIPTION: Field = {
  name: 'description',
  label: 'Description',
  type: 'longText',
  isOptional: true,
}
export const IMAGE: Field = {
  name: 'imageUrl',
  label: 'Image URL',
  type: 'url',
  isOptional: true,
  note: 'The address of a picture, starting with https://.',
}
export const TAXABLE: Field = { name: 'taxable', label: 'Taxable', type: 'checkbox' }
