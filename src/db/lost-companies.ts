/**
 * The companies whose worker does not respond (worker-watch.ts). Their statements fail at once: if they waited, they would soon
 * occupy all connections, which the companies share.
 */
import { PLACEMENTS } from './table-placement.ts'

export class CompanyLostError extends Error {
  constructor() {
    super('the worker of the company does not respond')
  }
}

let lost: ReadonlySet<unknown> = new Set()

export function setLostCompanies(ids: ReadonlySet<string>): void {
  lost = ids
}

const isOnWorkers = (text: string) => text.split(/\W+/).some((word) => PLACEMENTS[word] === 'distributed')

/** `$1` of a statement is the company. Tables of the coordinator, such as keys, can still be used. */
export function refuseLost(text: string, companyId: unknown): void {
  if (lost.size > 0 && lost.has(companyId) && isOnWorkers(text)) throw new CompanyLostError()
}
