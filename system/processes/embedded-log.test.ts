import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withClient } from '../../src/db/connect.ts'
import { startEmbedded } from '../../src/db/embedded.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { temporaryFolder } from '../../test/support/process.ts'

it('the embedded server logs an error without the values of the row', async () => {
  const folder = temporaryFolder()
  const server = await startEmbedded(folder, { settings: ['fsync=off'] })
  atEnd(() => server.stop())
  await withClient(server.connection, async (client) => {
    await client.query('CREATE TABLE people (email text PRIMARY KEY)')
    const add = () => client.query('INSERT INTO people VALUES ($1)', ['ada@example.com'])
    await add()
    await expect(add()).rejects.toMatchObject({ code: '23505', detail: expect.stringContaining('ada@') })
  })
  const log = readFileSync(join(folder, 'postgres.log'), 'utf8')
  expect(log).toContain('duplicate key value violates unique constraint')
  expect(log).not.toContain('ada@example.com')
})
