/**
 * Rules for SQL that also runs on Citus (docs/adr/0031-citus.md), checked on the text of each `sql` template. Nested
 * fragments are separate templates.
 */
import { PLACEMENTS } from '../../src/db/table-placement.ts'
import { parseFolder, placeOf, walk } from './source-trees.ts'
import type { Node } from './source-trees.ts'

export interface Template {
  place: string
  text: string
}

/** Every `sql` template of the source. Fragments in it are written as `${}`. */
export function listTemplates(): Template[] {
  return parseFolder('src').flatMap((file) =>
    [...walk(file.program)].flatMap((node) => {
      const { tag, quasi } = node as Node & { tag?: Node; quasi?: Node }
      if (node.type !== 'TaggedTemplateExpression' || tag?.['name'] !== 'sql') return []
      const quasis = quasi?.['quasis'] as { value: { cooked: string } }[]
      const text = quasis.map(({ value }) => value.cooked).join('${}')
      return [{ place: placeOf(file, node), text: text.replaceAll(/\s+/g, ' ').trim() }]
    }),
  )
}

const tablesOf = (placement: string) =>
  Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === placement)
const anyOf = (names: readonly string[]) => `(?:${names.join('|')})`
const DISTRIBUTED = anyOf(tablesOf('distributed'))
const LOCAL = anyOf(tablesOf('local'))
const CLOCKS = 'now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday'
const NOT_IMMUTABLE = String.raw`\b(?:(?:${CLOCKS}|random|gen_random_uuid) ?\(|(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b)`
/** A table name from a variable can be a distributed table. */
const MAYBE_DISTRIBUTED = String.raw`(?:${DISTRIBUTED}\b|\$\{\})`

const matches = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text)
const writes = (tables: string, text: string) =>
  matches(String.raw`\b(?:INSERT INTO|UPDATE|DELETE FROM) ${tables}(?!\w)`, text)
const names = (tables: string, text: string) =>
  matches(String.raw`\b(?:INTO|FROM|JOIN|UPDATE|USING) ${tables}\b`, text)
/** The text up to the closing parenthesis of an earlier one, or up to a match of `ends` outside of parentheses. */
function takeExpression(text: string, ends?: RegExp): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth < 0) return text.slice(0, at)
    if (depth === 0 && ends?.test(text.slice(at)) === true) return text.slice(0, at)
  }
  return text
}

/** The expression after each match of `start`. */
const partsAfter = (start: string, text: string, ends?: RegExp) =>
  [...text.matchAll(new RegExp(start, 'gi'))].map((found) =>
    takeExpression(text.slice(found.index + found[0].length), ends),
  )

/** Assignments of each update of a distributed table. */
const changesOf = (text: string) =>
  partsAfter(
    String.raw`\bUPDATE ${MAYBE_DISTRIBUTED}(?: (?:AS )?(?!SET )\w+)? SET `,
    text,
    /^ (?:FROM|WHERE|RETURNING) /i,
  ).join(' ')
const conflictOf = (text: string) =>
  writes(MAYBE_DISTRIBUTED, text) ? (/ DO UPDATE SET (.*)/i.exec(text)?.[1] ?? '') : ''

/** Assignments of updates and upserts, or a fragment that becomes a part of one. */
const assignmentOf = (text: string) =>
  /^(?:, )?(?:SET )?(?:(?:\w+|\$\{\}) = |greatest\(|least\()/i.test(text)
    ? text
    : `${changesOf(text)} ${conflictOf(text)}`

/** The parts of COALESCE and CASE, which are not always evaluated. */
const lazyPartsOf = (text: string) =>
  [...partsAfter(String.raw`\bcoalesce ?\(`, text), ...partsAfter(String.raw`\bCASE `, text)].join(' ')

export const RULES: Record<string, (text: string) => boolean> = {
  'selects at least one column in a subquery: Citus cannot read a row without columns': (text) =>
    matches(String.raw`\bSELECT FROM\b`, text),
  'does not identify rows of workers by ctid': (text) =>
    matches(String.raw`\bctid\b`, text) && (names(DISTRIBUTED, text) || !names(LOCAL, text)),
  'has no now() or random function in COALESCE or CASE of an update: take it from a subquery in FROM': (
    text,
  ) => matches(NOT_IMMUTABLE, lazyPartsOf(assignmentOf(text))),
  'has no now() or random function in DO UPDATE: use the excluded row': (text) =>
    matches(NOT_IMMUTABLE, conflictOf(text)),
  'assigns no column plus an interval, except in UTC: the sum depends on the time zone': (text) =>
    matches(String.raw`[a-z_.]+ [+-] interval`, assignmentOf(text)),
  'gives a table an alias if RETURNING names columns by one': (text) =>
    matches(String.raw`\bINSERT INTO ${MAYBE_DISTRIBUTED} \(.* RETURNING [^;]*(?:\$\{\}|\w+\.)`, text),
  'does not read the workers in a statement that writes to the coordinator': (text) =>
    writes(LOCAL, text) && names(DISTRIBUTED, text),
}
