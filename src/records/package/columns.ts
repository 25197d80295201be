/** Packages: named lists of lines that can be added to a quote in one step. */
import { LINE_KINDS } from '../../core/enumerations.ts'
import { defineColumns } from '../../codec/column.ts'
import {
  TIMES,
  boolean,
  filledText,
  id,
  money,
  objects,
  ofCompany,
  oneOf,
  quantity,
  text,
  time,
} from '../../codec/column-types.ts'

export const PACKAGE_COLUMNS = defineColumns('package', 'packages', {
  id: id('package'),
  companyId: ofCompany(),
  name: filledText(),
  description: text().nullable().internal(),
  lines: objects({
    kind: oneOf(LINE_KINDS),
    serviceId: id('service').onlyWith('kind', 'SERVICE'),
    addonId: id('add-on').onlyWith('kind', 'ADDON'),
    description: text().nullable(),
    quantity: quantity().default(1),
    /** Null: the price of the service or add-on. */
    unitPriceCents: money().nullable(),
    taxable: boolean().default(true),
    optional: boolean().default(false),
    selected: boolean().default(true),
    optionGroup: text().nullable(),
  }).default([]),
  archivedAt: time().nullable().internal(),
  ...TIMES,
})
