/** Currencies to choose from. */
import { isCurrencyCode } from '../../../src/core/pricing/currencies.ts'

export const CURRENCIES = Intl.supportedValuesOf('currency').filter(isCurrencyCode)

/** A stored value may be missing from the list of the browser. */
export const withValue = (list: readonly string[], value: string) =>
  value === '' || list.includes(value) ? [...list] : [value, ...list]
