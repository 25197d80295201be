/** Typed amounts of money. */
import { groupedMoney, parseMoney, typedMoney } from '../format.ts'

/** How the amount is shown while the field is not edited. Invalid text stays as typed. */
export function shownMoney(text: string, currency: string): string {
  const cents = parseMoney(text, currency)
  return cents === null ? text : groupedMoney(cents, currency)
}

/** Asks for an amount in the form of the currency. */
export function moneyMessage(currency: string): string {
  return `Enter an amount like ${groupedMoney(125_000, currency)}.`
}

export function usualMoney(text: string, currency: string): string {
  const cents = parseMoney(text, currency)
  return cents === null ? text : typedMoney(cents, currency)
}
