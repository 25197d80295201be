/** Syntax trees of the source, for rules that linters do not have. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

export interface SourceFile {
  /** From the root of the checkout: `src/records/quote/queries.ts`. */
  path: string
  text: string
  program: Node
}

/** Every TypeScript file of a folder, except tests. */
export function parseFolder(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
    .map((name) => parseSource(join(folder, name), readFileSync(join(folder, name), 'utf8')))
}

function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return { path, text, program: program as unknown as Node }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
}

/** The node and everything in it, the outermost first. */
export function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}

/** `src/records/quote/queries.ts:12` */
export function placeOf({ path, text }: SourceFile, node: Node): string {
  return `${path}:${text.slice(0, node.start).split('\n').length}`
}
