import { defineConfig } from 'vitest/config'

/** Tests in a real browser: Debian's chromium, or the one that CHROMIUM names. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Much of a test's time is waiting for the browser, which has threads of its own.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page is drawn when the browser gets round to it, which on a busy machine is later than a test asks.
    expect: { poll: { timeout: 20_000 } },
  },
})
