import { describe, expect, it } from 'vitest'
import { NEW_QUESTION_ID } from '../../src/core/forms/form-content.ts'
import { randomId } from './random-id.ts'

describe('randomId', () => {
  it('is part of the id of a new question, and unique', () => {
    const ids = Array.from({ length: 100 }, randomId)
    for (const id of ids) expect(`question_${id}`).toMatch(NEW_QUESTION_ID)
    expect(new Set(ids).size).toBe(100)
  })
})
