/**
 * Finds the most common signs of wording that STYLE.md rules out. Older text still has some, so each folder has an
 * allowance in `style-allowance.json`. Lower it whenever you rewrite text; it must never rise.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const ROOT = new URL('..', import.meta.url)
const ALLOWANCE = new URL('style-allowance.json', import.meta.url)

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
  // British spelling
  /\b(?:colour|favour|behaviour|cancelled|(?:recogni|normali|seriali|organi|labell)[sl](?:e|ed|es|ing))\b/gi,
]

const isText = (name: string) => /\.(?:tsx?|js|md|css|html|sql)$/.test(name)
const skipped = new Set(['STYLE.md', 'test/style.test.ts', 'docs/licenses.md'])

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

const allowance = JSON.parse(readFileSync(ALLOWANCE, 'utf8')) as Record<string, number>

it.each(Object.entries(allowance))('%s has at most %i signs of wording to replace', (folder, allowed) => {
  const signs = filesOf(folder).flatMap(signsIn)
  expect(signs.length, `Rewrite these as STYLE.md shows:\n${signs.join('\n')}`).toBeLessThanOrEqual(allowed)
})
