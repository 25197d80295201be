import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests with a database share one server, which the setup starts. */
const withDatabase = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/setup.ts'],
  hookTimeout: 60_000,
}
/** `npm run test:properties`, which CI runs after these, sets the full numbers of cases of property tests. */
const withFewCases = {
  env: {
    PROPERTY_RUNS: process.env['PROPERTY_RUNS'] ?? '100',
    SLOW_PROPERTY_RUNS: process.env['SLOW_PROPERTY_RUNS'] ?? '5',
  },
}
/** Timeouts leave room for machines that are three times slower. */
const poll = (timeout: number) => ({ expect: { poll: { timeout } } })

/** Debian has no package of Citus, so its tests run only where the extension was built (docs/citus.md). */
const CITUS = '/usr/share/postgresql/15/extension/citus.control'
const isLeftOut = !existsSync(CITUS)
if (isLeftOut && process.argv.includes('system'))
  console.warn(`system/citus*.test.ts are left out: this machine does not have ${CITUS}`)

export default defineConfig({
  test: {
    // Much of the time of a test is spent waiting for the database or for a process.
    maxWorkers: Math.max(2, availableParallelism()),
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'] },
    projects: [
      // Pure rules: no database and no server. They share modules, since loading them takes longer than the tests.
      {
        test: {
          name: 'core',
          include: ['src/**/*.test.ts', 'console/src/**/*.test.ts'],
          isolate: false,
          testTimeout: 60_000,
          ...withFewCases,
        },
      },
      // The contract, through real HTTP and a real database. Loading the application takes longer than most files,
      // so they share modules; test/support/setup.ts closes everything that a file opened.
      {
        test: {
          name: 'api',
          include: ['test/**/*.test.ts'],
          isolate: false,
          testTimeout: 90_000,
          ...withFewCases,
          ...withDatabase,
          ...poll(10_000),
        },
      },
      // A real browser: Debian's chromium-headless-shell, or the one that CHROMIUM names.
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          // The files of a worker share a browser (e2e/browser.ts).
          isolate: false,
          testTimeout: 120_000,
          ...withDatabase,
          globalSetup: [...withDatabase.globalSetup, 'e2e/demo-template.ts'],
          ...poll(20_000),
        },
      },
      // From an empty database to the first quote, in one go (`npm run journey`).
      {
        test: {
          name: 'journey',
          include: ['journey/**/*.test.ts'],
          testTimeout: 120_000,
          ...withDatabase,
          ...poll(20_000),
        },
      },
      // Tests that start the built program or a PostgreSQL server, or wait for timeouts, and slow checks of the source.
      {
        test: {
          name: 'processes',
          include: ['system/processes/*.test.ts'],
          testTimeout: 90_000,
          ...withDatabase,
          ...poll(10_000),
        },
      },
      // Programs from Debian (a standby, haproxy, pgbouncer, curl, Python), and the client generators in system/clients.
      {
        test: {
          name: 'system',
          include: ['system/*.test.ts'],
          exclude: isLeftOut ? ['system/citus*.test.ts'] : [],
          fileParallelism: false,
          testTimeout: 60_000,
          ...withDatabase,
          hookTimeout: 120_000,
          ...poll(10_000),
        },
      },
    ],
  },
})
