/** Mutation testing runs the tests of `src/core` only. Stryker cannot select a vitest project, so it has this configuration. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['src/core/**/*.test.ts'], testTimeout: 30_000 } })
