import { defineConfig } from 'vitest/config'

/** The pure rules alone, without a database: what mutation testing runs, over and over. */
export default defineConfig({ test: { include: ['src/core/**/*.test.ts'] } })
