/** The map by which a proxy chooses the cell of a request: one line per key, company, email and form. */
import type { CellRoute } from '../records/cell-route/queries.ts'

/** Cell by route. */
export type CellMap = ReadonlyMap<string, string>

/**
 * A company that moves is in both cells for a while: as leaving in its old one. A route that several cells have otherwise, such as
 * the email of a person in two companies, leads to the first.
 */
export function composeMap(cells: readonly { name: string; routes: readonly CellRoute[] }[]): CellMap {
  const map = new Map<string, string>()
  for (const leaving of [false, true]) {
    for (const { name, routes } of cells) {
      for (const { route, isLeaving } of routes)
        if (isLeaving === leaving && !map.has(route)) map.set(route, name)
    }
  }
  return map
}

/** Companies and forms that several cells have: those of the second cell cannot be reached. */
export function findConflicts(cells: readonly { name: string; routes: readonly CellRoute[] }[]): string[] {
  const first = new Map<string, string>()
  const conflicts: string[] = []
  for (const { name, routes } of cells) {
    for (const { route, isLeaving } of routes) {
      if (isLeaving || !/^[cf]:/.test(route)) continue
      const known = first.get(route)
      if (known === undefined) first.set(route, name)
      else conflicts.push(`cells ${known} and ${name} both have ${route}; requests for it go to ${known}`)
    }
  }
  return conflicts
}

/** In the order of the routes, so that equal maps have equal texts. */
export function mapText(map: CellMap): string {
  return [...map]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([route, cell]) => `${route} ${cell}\n`)
    .join('')
}
