import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { isWorkerLost } from './workers.ts'

function errorOf(code: string, where?: string): DatabaseError {
  const error = new DatabaseError('failed', 6, 'error')
  return Object.assign(error, { code, where })
}

describe('the loss of a worker', () => {
  it.each<[code: string, where: string | undefined, isLost: boolean]>([
    ['08006', undefined, true],
    ['57P01', 'while executing command on worker:5432', true],
    // A protocol error, and the shutdown of the only server.
    ['08P01', undefined, false],
    ['57P01', undefined, false],
    ['23505', 'while executing command on worker:5432', false],
  ])('%s with the context %j: %j', (code, where, isLost) => {
    expect(isWorkerLost(errorOf(code, where))).toBe(isLost)
  })

  it('is not any other error', () => {
    expect(isWorkerLost(Object.assign(new Error('refused'), { code: '08006' }))).toBe(false)
  })
})
