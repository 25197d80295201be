/** Runs before each test file. Modules are shared by the files of a worker, so nothing of a file may outlive it. */
import { afterAll, vi } from 'vitest'
import { closeAll } from './at-end.ts'

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.resetConfig()
  await closeAll()
})
