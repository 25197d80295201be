/** Runs before each test file, and closes everything that the file opened. Files of a worker share modules. */
import { afterAll, vi } from 'vitest'
import { closeAll } from './at-end.ts'

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.resetConfig()
  await closeAll()
})
