/** The choices in the form of a new quote and in the editor, besides the catalog. */
import type { LineKind } from '../enumerations.ts'

/** Of each kind. Limits the size of a response: fields with more choices search the server. */
export const CHOICES_MAX = 2_000

export interface Choice {
  id: string
  name: string
  /** Still there where it is attached, but cannot be attached to other quotes. */
  isArchived: boolean
}

export interface LocationChoice extends Choice {
  timeZone: string
  streetAddress: string | null
  city: string | null
  state: string | null
  zip: string | null
}

export interface PackageLine {
  kind: LineKind
  serviceId: string | null
  addonId: string | null
  description: string | null
  quantity: number
  /** Null: the price of the service or add-on. */
  unitPriceCents: number | null
  taxable: boolean
  optional: boolean
  selected: boolean
  optionGroup: string | null
}

export interface PackageChoice extends Choice {
  lines: readonly PackageLine[]
  /** The names of its services and add-ons, also of archived ones. */
  items: readonly { id: string; name: string }[]
}

export interface ContactChoice {
  id: string
  /** Empty if the contact has none. */
  name: string
  email: string | null
  phone: string | null
}

export interface QuoteChoices {
  locations: readonly LocationChoice[]
  eventTypes: readonly Choice[]
  paymentTerms: readonly Choice[]
  contracts: readonly Choice[]
  packages: readonly PackageChoice[]
  /** The contacts that the quote refers to. All others are found by a search. */
  contacts: readonly ContactChoice[]
}
