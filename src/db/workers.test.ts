import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { isWorkerLost } from './workers.ts'

function errorOf(code: string, where?: string): DatabaseError {
  const error = new DatabaseError('failed', 6, 'error')
  return Object.assign(error, { code, where })
}

describe('isWorkerLost', () => {
  it.each<[code: string, where: string | undefined, isLost: boolean]>([
    ['08006', undefined, true],
    ['57P01', 'while executing command on worker:5432', true],
    // A protocol error, and the shutdown of the only server.
    ['08P01', undefined, false],
    ['57P01', undefined, false],
    ['23505', 'while executing command on worker:5432', false],
  ])('for %s with context %j is %j', (code, where, isLost) => {
    expect(isWorkerLost(errorOf(code, where))).toBe(isLost)
  })

  it('is false for other errors', () => {
    expect(isWorkerLost(Object.assign(new Error('refused'), { code: '08006' }))).toBe(false)
  })
})
