import { defineConfig } from 'vitest/config'

/**
 * Tests that need programs from Debian (PostgreSQL's own, for a standby, haproxy, pgbouncer, curl and Python) or the
 * generators of clients in system/clients.
 */
export default defineConfig({
  test: {
    include: ['system/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes later on a busy machine.
    expect: { poll: { timeout: 10_000 } },
  },
})
