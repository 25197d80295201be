/** Parses expansion paths into a tree, before any I/O. */
import { ApiError } from './errors.ts'

/** The expandable relations: object name -> relation name -> name of the related object. */
export type ExpandGraph = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The requested relations. A nested path includes its parents. Relations that were not requested are absent. */
export interface ExpandTree {
  [relation: string]: ExpandTree
}

export const PATHS_MAX = 20
export const SEGMENTS_MAX = 4

/**
 * Adds paths one by one, in the order they were sent, and throws at the first invalid one. On lists every path starts with
 * `prefix`, which does not count as a segment.
 */
export function collectExpand(
  graph: ExpandGraph,
  root: string,
  prefix: '' | 'data.',
): { add: (path: string) => void; tree: ExpandTree } {
  const tree: ExpandTree = {}
  const distinct = new Set<string>()
  const add = (sent: string): void => {
    if (!sent.startsWith(prefix))
      throw refused(`Unknown expansion path "${sent}": on a list it must begin with "${prefix}"`)
    const path = sent.slice(prefix.length)
    const segments = path.split('.')
    if (segments.length > SEGMENTS_MAX)
      throw refused(`Expansion path "${sent}" is deeper than ${SEGMENTS_MAX} segments`)
    if (!isPath(graph, root, segments)) throw refused(`Unknown expansion path "${sent}"`)
    distinct.add(path)
    if (distinct.size > PATHS_MAX)
      throw refused(`At most ${PATHS_MAX} different expansion paths can be requested`)
    let node = tree
    for (const segment of segments) node = node[segment] ??= {}
  }
  return { add, tree }
}

/** All paths of the graph up to the maximum depth, parents before children. */
export function listPaths(graph: ExpandGraph, root: string): string[] {
  const below = (object: string, depth: number): string[] =>
    Object.entries(graph[object] ?? {}).flatMap(([relation, target]) =>
      depth === SEGMENTS_MAX
        ? [relation]
        : [relation, ...below(target, depth + 1).map((path) => `${relation}.${path}`)],
    )
  return below(root, 1)
}

function isPath(graph: ExpandGraph, root: string, segments: string[]): boolean {
  let object = root
  for (const segment of segments) {
    const relations: ExpandGraph[string] = graph[object] ?? {}
    // hasOwn: `constructor` is not a relation.
    const target = Object.hasOwn(relations, segment) ? relations[segment] : undefined
    if (target === undefined) return false
    object = target
  }
  return true
}

function refused(message: string): ApiError {
  return new ApiError('invalid_parameter', { message, param: 'expand' })
}
