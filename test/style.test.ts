/** Finds the most common signs of wording that STYLE.md rules out. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const ROOT = new URL('..', import.meta.url)

const SIGNS = [
  /\bwhoever\b/gi,
  // Not the user `nobody` of Unix
  /(?<![`'|])\b(?:nobody|somebody)\b(?![`'])/gi,
  /\bof (?:its|their|his|her|your|our) own\b/g,
  /\bof (?:yours|ours|theirs)\b/g,
  /\bso many\b/gi,
  /\bthere is none\b/gi,
  /\banew\b/g,
  /\blook-ups?\b/gi,
  /\bis told\b/g,
  // "made" for "created"
  /\b(?:is|are|was|were|been) made\b/g,
  // A clause as subject: "What is written is kept." A question is fine.
  /\bWhat (?:is|are|was|were|has|have|had|can|cannot|must|does|the|a|an|it|they|one|no|we)\b(?!.*\?)/g,
  /\bwhat is (?:no|not)\b/g,
  /(?:^|[.:;*] |\/\/ )Who (?!.*\?)/gm,
  // Clauses that compare: "is as one that does not exist", "as many as there are"
  /\bas one that\b/g,
  /\bas many as there\b/g,
  /\beach its own\b/g,
  /\banywhere but\b/g,
  // A title that continues another one
  /\b(?:it|describe)\(\s*['"`]so (?:has|have|is|are|can|does)\b/g,
  // British spelling
  /\b(?:colour|favour|behaviour|cancelled|(?:recogni|normali|seriali|organi|labell)[sl](?:e|ed|es|ing))\b/gi,
]

const isText = (name: string) => /\.(?:tsx?|js|md|css|html|sql)$/.test(name)
const skipped = new Set([
  'STYLE.md',
  'test/style.test.ts',
  'docs/licenses.md',
  // Texts of people in the demo world
  'src/world/demo/equipment.ts',
  'src/world/demo/event-types.ts',
  'src/world/demo/form-questions.ts',
])

function filesOf(folder: string): string[] {
  if (folder === '.') return readdirSync(ROOT).filter((name) => name.endsWith('.md') && !skipped.has(name))
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => isText(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !skipped.has(path))
}

function signsIn(path: string): string[] {
  const text = readFileSync(new URL(path, ROOT), 'utf8')
  return SIGNS.flatMap((sign) => [...text.matchAll(sign)]).map(
    ({ 0: found, index }) => `${path}:${text.slice(0, index).split('\n').length}: ${found.trim()}`,
  )
}

const FOLDERS = [
  '.',
  'src',
  'console',
  'docs',
  'test',
  'e2e',
  'system',
  'journey',
  'bench',
  'torture',
  'supply-chain',
]

it.each(FOLDERS)('%s has no signs of wording to replace', (folder) => {
  expect(filesOf(folder).flatMap(signsIn)).toEqual([])
})
