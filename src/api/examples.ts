/**
 * Requests to the demo world and their responses, for the documentation. They are in docs/api-examples.json. A test sends each
 * request and compares; with UPDATE_EXAMPLES=1 it writes the file.
 */
import { readFileSync } from 'node:fs'
import type { Operation } from './access.ts'

export interface Example {
  /** The id in the path. */
  id?: string
  query?: string
  body?: object
  answer: object
}

export const EXAMPLES_FILE = new URL('../../docs/api-examples.json', import.meta.url)

const examples = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Record<string, Example>

export function exampleOf(operation: Operation): Example {
  const example = examples[operation]
  if (example === undefined) throw new Error(`${operation} has no example in docs/api-examples.json`)
  return example
}
