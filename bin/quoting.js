#!/usr/bin/env node
// The `quoting` command. The program itself is built into dist/ by `npm ci` (script "prepare") and `npm start`.
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(program)) {
  await import(program.href)
} else {
  console.error('quoting: dist/cli/main.js is missing; run "npm run build" in the checkout first')
  process.exitCode = 1
}
