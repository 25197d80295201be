/** Stored and file-supplied text cannot forge or hide lines of command output. */
import { describe, expect, it } from 'vitest'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { runCommand } from '../../test/support/process.ts'
import { insert, insertCompany, insertKey } from '../../test/support/records.ts'

const { pool, connection } = await createDatabase()
const SETTINGS = {
  DATABASE_URL: connectionUrl(connection),
  APP_SECRET: 'a secret of thirty-two characters',
}
const run = (args: string[], input?: string) => runCommand(args, SETTINGS, input)

/** Erases the line, forges another one, reorders text, moves columns, and has CSI as one C1 character. */
const HOSTILE = '\u001b[2K\r\nkey_0\t2026\tactive\tMine \u202etxt\u202c \u009b1A\u2028\u0007'
const SHOWN = '\\u001b[2K\\r\\nkey_0\\t2026\\tactive\\tMine \\u202etxt\\u202c \\u009b1A\\u2028\\u0007'
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

await insertCompany(pool, 'co_1')
await insertKey(pool, 'co_1', 'key-with-a-hostile-name', { id: 'key_1' })
await pool.query(`UPDATE api_keys SET name = $1 WHERE id = 'key_1'`, [HOSTILE])
await insert(pool, 'users', {
  company_id: 'co_1',
  id: 'user_1',
  email: `${HOSTILE}@x`,
  name: HOSTILE,
  role: 'ADMIN',
  password_hash: 'x',
})
await insert(pool, 'resources', { company_id: 'co_1', id: HOSTILE, name: 'Booth', location_id: HOSTILE })

describe('command output escapes control characters in stored text', () => {
  it('keys list: prints one line of four fields for a key', async () => {
    const { status, stdout } = await run(['keys', 'list', '--company', 'co_1'])
    expect(status).toBe(0)
    expect(stdout).not.toMatch(FORBIDDEN)
    expect(stdout.trimEnd().split('\t')).toEqual(['key_1', expect.any(String), 'active', SHOWN])
  })

  it('users list: prints one line of six fields for a user', async () => {
    const { status, stdout } = await run(['users', 'list', '--company', 'co_1'])
    expect(status).toBe(0)
    expect(stdout).not.toMatch(FORBIDDEN)
    expect(stdout.trimEnd().split('\t').slice(3)).toEqual(['ADMIN', `${SHOWN}@x`, SHOWN])
  })

  it('doctor: prints one line for a finding', async () => {
    const { status, stderr } = await run(['doctor'])
    expect(status).toBe(1)
    expect(stderr).not.toMatch(FORBIDDEN)
    expect(stderr).toMatch(/^company "co_1", resource [^\n]* resolves to no location\n$/)
  })
})

describe('command output escapes control characters of files and arguments', () => {
  it('import: prints one line for a finding with a hostile field name', async () => {
    const line = JSON.stringify({ object: 'company', id: 'co_2', [HOSTILE]: 1, name: 7 })
    const { status, stderr } = await run(['import', '-'], line)
    expect(status).toBe(1)
    expect(stderr).not.toMatch(FORBIDDEN)
    expect(stderr).toContain(SHOWN)
    for (const one of stderr.trimEnd().split('\n')) expect(one).toMatch(/^(line 1: |\d+ error)/)
  })

  it.each([
    ['a company that does not exist', ['keys', 'list', '--company', HOSTILE]],
    ['a key that does not exist', ['keys', 'revoke', '--company', 'co_1', HOSTILE]],
    ['a user that does not exist', ['users', 'disable', '--company', 'co_1', '--email', HOSTILE]],
    [
      'an invalid email address',
      ['users', 'create', '--company', 'c', '--email', HOSTILE, '--name', 'A', '--role', 'ADMIN'],
    ],
    ['a file that does not exist', ['import', `/nowhere/${HOSTILE}`]],
    ['an unknown command', [HOSTILE]],
    ['an unknown option', ['migrate', `--${HOSTILE}`]],
  ])('%s: prints one line', async (_, args) => {
    const { status, stdout, stderr } = await run(args)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).not.toMatch(FORBIDDEN)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
  })
})
