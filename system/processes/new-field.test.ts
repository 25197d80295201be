/** A new field of a quote is one migration and one line in its column table. */
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { connectionUrl } from '../../test/support/connections.ts'
import { runCommand, startCommand, temporaryFolder } from '../../test/support/process.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { createBareDatabase } from '../../test/support/schema.ts'

const MIGRATION = 'ALTER TABLE quotes ADD COLUMN parking_notes text;'
const LINE = `  parkingNotes: text('Where to park.').nullable(),`
const AFTER = '  entityToInvoice: text().nullable(),'

const KEY = 'key-of-the-company'
const TIMES = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:05.678Z' }
const QUOTE = {
  object: 'quote',
  id: 'q',
  companyId: 'a',
  leadId: 'l',
  locationId: 'loc',
  eventAddress: 'Pier',
}
const WORLD = [
  { object: 'company', id: 'a', name: 'A', plan: 'PREMIUM', currency: 'USD', ...TIMES },
  { object: 'apiKey', id: 'k', companyId: 'a', name: 'Key', key: KEY, ...TIMES },
  { ...QUOTE, currency: 'USD', parkingNotes: 'Behind the pier', ...TIMES },
]

/** A build of the sources with the new field. */
function buildCopy(): string {
  const copy = join(temporaryFolder(), 'copy')
  for (const part of ['src', 'migrations', 'docs/api-examples.json', 'package.json', 'tsconfig.json'])
    cpSync(part, join(copy, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'migrations/9999-parking-notes.sql'), MIGRATION)
  const table = join(copy, 'src/records/quote/columns.ts')
  const columns = readFileSync(table, 'utf8')
  expect(columns).toContain(AFTER)
  writeFileSync(table, columns.replace(AFTER, `${AFTER}\n${LINE}`))
  const compiler = resolve('node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'src'], { cwd: copy, stdio: 'pipe' })
  return copy
}

it(
  'the new field is imported, returned by the API, documented in OpenAPI, exported and backed up',
  { timeout: 120_000 },
  async () => {
    const copy = buildCopy()
    const program = join(copy, 'dist/cli/main.js')
    const run = async (args: string[], settings: Record<string, string>, input?: string) => {
      const { status, stdout, stderr } = await runCommand(args, settings, input, program)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return stdout
    }
    const settingsOf = ({ connection }: TestDatabase) => ({
      DATABASE_URL: connectionUrl(connection),
      APP_SECRET: 'a secret of thirty-two characters',
    })
    const settings = settingsOf(await createBareDatabase())
    const server = startCommand(['serve'], { ...settings, PORT: '0', LOG_LEVEL: 'error' }, undefined, program)
    const [, url] = await server.waitFor(/API at (\S+)\/api/)
    await run(['import', '-'], settings, WORLD.map((record) => JSON.stringify(record)).join('\n'))
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${url}/api/${path}`, { headers: { 'x-api-key': KEY } })).json()
    expect(await read('quotes/q')).toMatchObject({ id: 'q', parkingNotes: 'Behind the pier' })
    expect(await read('quotes')).toMatchObject({ data: [{ id: 'q', parkingNotes: 'Behind the pier' }] })
    expect(await read('openapi.json')).toMatchObject({
      components: {
        schemas: {
          Quote: {
            required: expect.arrayContaining(['parkingNotes']) as string[],
            properties: { parkingNotes: { description: 'Where to park.' } },
          },
        },
      },
    })

    expect(await run(['export'], settings)).toContain('"parkingNotes":"Behind the pier"')
    const backup = join(copy, 'backup.gz')
    await run(['backup', backup], settings)
    const restored = await createBareDatabase()
    await run(['restore', backup], settingsOf(restored))
    const { rows } = await restored.pool.query('SELECT id, parking_notes FROM quotes')
    expect(rows).toEqual([{ id: 'q', parking_notes: 'Behind the pier' }])
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  },
)
