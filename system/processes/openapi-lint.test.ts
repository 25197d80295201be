import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { temporaryFolder } from '../../test/support/process.ts'
import { startServer } from '../../test/support/server.ts'

const { connection } = await createDatabase()
const server = await startServer(connection)

describe('D5, R18: /api/openapi.json', () => {
  it("is valid under Redocly's recommended rules, without a warning", async () => {
    const file = join(temporaryFolder(), 'openapi.json')
    writeFileSync(file, (await server.call('/api/openapi.json')).text)
    const redocly = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', '--extends=recommended', '--format=json', file],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        cwd: join(file, '..'),
      },
    )
    expect((JSON.parse(stdout) as { totals: object }).totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })
})
