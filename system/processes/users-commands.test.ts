/** `quoting users` in the built program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyPassword } from '../../src/core/security/password.ts'
import { findUsersByEmail } from '../../src/records/user/queries.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { dumpTables } from '../../test/support/issued-keys.ts'
import { runCommand } from '../../test/support/process.ts'
import { insert, insertCompany } from '../../test/support/records.ts'

const { pool, connection } = await createDatabase()
await insertCompany(pool, 'co_1')
await insertCompany(pool, 'co_2')
const SETTINGS = { DATABASE_URL: connectionUrl(connection), APP_SECRET: 'a secret of thirty-two characters' }

const run = (args: string[], input?: string) => runCommand(['users', ...args], SETTINGS, input)
const create = (email: string, input: string | undefined, ...others: string[]) =>
  run(['create', '--company', 'co_1', '--email', email, '--name', 'Ada', '--role', 'ADMIN', ...others], input)

async function isPassword(email: string, password: string): Promise<boolean> {
  const [user] = await findUsersByEmail(pool, email)
  return user !== undefined && verifyPassword(password, user.passwordHash)
}

async function addSession(email: string, digit: string): Promise<() => Promise<number>> {
  const [user] = await findUsersByEmail(pool, email)
  await insert(pool, 'sessions', {
    company_id: user?.companyId,
    token_hash: digit.repeat(64),
    user_id: user?.id,
    expires_at: '2999-01-01T00:00:00Z',
  })
  return async () =>
    (
      await pool.query('SELECT FROM sessions WHERE company_id = $1 AND user_id = $2', [
        user?.companyId,
        user?.id,
      ])
    ).rowCount ?? -1
}

describe('users --help', () => {
  it.each([[[]], [['create']], [['list']], [['password']], [['disable']], [['enable']]])(
    'prints the usage of users %j',
    async (args) => {
      const { status, stdout, stderr } = await run([...args, '--help'])
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^Usage: quoting users/)
    },
  )

  it('says that the password is read from standard input, not from an argument', async () => {
    for (const command of ['create', 'password']) {
      const { stdout } = await run([command, '--help'])
      expect(stdout).toContain('one line from standard input')
      expect(stdout).toContain('--generate')
      expect(stdout).not.toContain('--password')
    }
  })
})

describe('users create', () => {
  it.each([
    ['a line', 'correct horse battery\n'],
    ['a line with CRLF', 'correct horse battery\r\n'],
    ['a line without line break', 'correct horse battery'],
    ['the first of several lines', 'correct horse battery\nanother one\n'],
    ['a line after a byte order mark', '\ufeffcorrect horse battery\n'],
  ])('reads the password from standard input: %s', async (name, input) => {
    const email = `${name.replaceAll(/\W/g, '-')}@example.com`
    expect(await create(email, input)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Created user_\S+\.\n$/),
      stderr: '',
    })
    expect(await isPassword(email, 'correct horse battery')).toBe(true)
  })

  it('--generate prints only a strong password', async () => {
    const { status, stdout, stderr } = await create('made@example.com', undefined, '--generate')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}\n$/)
    expect(await isPassword('made@example.com', stdout.trim())).toBe(true)
    for (const text of await dumpTables(connection)) expect(text).not.toContain(stdout.trim())
  })

  it.each([
    ['no password', ['ok@example.com', ''], /no password on standard input.*--generate/],
    ['an empty line', ['ok@example.com', '\n'], /no password on standard input/],
    ['a short password', ['ok@example.com', '1234567\n'], /the password must have 8 to 200 characters/],
    ['a blank password', ['ok@example.com', '         \n'], /the password must not be blank/],
    ['a password without end', ['ok@example.com', 'x'.repeat(100_000)], /must have 8 to 200 characters/],
    ['an invalid email', ['ada', 'correct horse battery'], /--email "ada": Enter an email address/],
    ['an unknown role', ['ok@example.com', 'correct horse battery', '--role', 'OWNER'], /ADMIN, MEMBER/],
    ['an empty name', ['ok@example.com', 'correct horse battery', '--name', ' '], /--name " ": Enter a name/],
    [
      'an unknown company',
      ['ok@example.com', 'correct horse battery', '--company', 'co_x'],
      /no company co_x/,
    ],
    ['a password as an option', ['ok@example.com', 'x', '--password', 'hunter22'], /unknown option/],
  ] as const)('%s fails with one line and exit status 1, without a user', async (_, args, message) => {
    const [email, input, ...others] = args
    const { status, stdout, stderr } = await create(email, input, ...others)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
    expect(stderr).not.toMatch(/hunter22|correct horse|1234567/)
    expect(await findUsersByEmail(pool, email)).toEqual([])
  })

  it('rejects an email of the company in another case, but not of another company', async () => {
    expect((await create('twice@example.com', 'correct horse battery')).status).toBe(0)
    const again = await create('Twice@Example.com', 'another password')
    expect(again).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^quoting: .* already; [^\n]+\n$/),
    })
    expect(await isPassword('twice@example.com', 'correct horse battery')).toBe(true)
    expect((await create('Twice@Example.com', 'another password', '--company', 'co_2')).status).toBe(0)
    expect((await findUsersByEmail(pool, 'twice@example.com')).length).toBe(2)
  })
})

describe('users list', () => {
  it('prints id, creation, state, role, email and name of the users of the company, without hash', async () => {
    const created = await create('listed@example.com', 'correct horse battery', '--role', 'MEMBER')
    const [id = ''] = /user_[\w-]+/.exec(created.stdout) ?? []
    const { status, stdout } = await run(['list', '--company', 'co_1'])
    expect(status).toBe(0)
    const line = stdout.split('\n').find((one) => one.startsWith(id))
    expect(line?.split('\t')).toEqual([
      id,
      expect.stringMatching(/Z$/),
      'active',
      'MEMBER',
      'listed@example.com',
      'Ada',
    ])
    expect(stdout).not.toContain('scrypt')
    expect((await run(['list', '--company', 'co_2'])).stdout).not.toContain('listed@')
    const unknown = await run(['list', '--company', 'co_x'])
    expect(unknown).toEqual({ status: 1, stdout: '', stderr: 'quoting: there is no company co_x\n' })
  })
})

describe('users password', () => {
  const change = (args: string[], input?: string) => run(['password', '--company', 'co_1', ...args], input)

  it('replaces the password and ends the sessions in this company only', async () => {
    await create('change@example.com', 'correct horse battery')
    await create('change@example.com', 'correct horse battery', '--company', 'co_2')
    const countSessions = await addSession('change@example.com', 'a')
    const changed = await change(['--email', 'CHANGE@example.com'], 'quite another one\n')
    expect(changed).toMatchObject({ status: 0, stderr: '' })
    expect(await countSessions()).toBe(0)
    const hashes = (await findUsersByEmail(pool, 'change@example.com')).map(
      ({ passwordHash }) => passwordHash,
    )
    const fits = await Promise.all(hashes.map((hash) => verifyPassword('quite another one', hash)))
    expect(fits).toEqual([true, false])
  })

  it('--generate prints only the new password', async () => {
    await create('remade@example.com', 'correct horse battery')
    const { stdout } = await change(['--email', 'remade@example.com', '--generate'])
    expect(await isPassword('remade@example.com', stdout.trim())).toBe(true)
    expect(await isPassword('remade@example.com', 'correct horse battery')).toBe(false)
  })

  it.each([
    [
      ['--email', 'unknown@example.com'],
      'correct horse battery',
      /has no user unknown@example.com; .*users list/,
    ],
    [['--email', 'twice@example.com'], 'short', /8 to 200/],
    [['--email', 'listed@example.com', '--company', 'co_2'], 'correct horse battery', /co_2 has no user/],
  ])('%j fails with one line', async (args, input, message) => {
    const { status, stdout, stderr } = await change(args, input)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^quoting: [^\n]+\n$/)
  })
})

describe('users disable', () => {
  it('prevents sign-ins, ends the sessions, and is shown in the list', async () => {
    await create('gone@example.com', 'correct horse battery')
    const countSessions = await addSession('gone@example.com', 'b')
    const disabled = await run(['disable', '--company', 'co_1', '--email', 'Gone@example.com'])
    expect(disabled).toEqual({ status: 0, stdout: 'Disabled Gone@example.com.\n', stderr: '' })
    expect(await countSessions()).toBe(0)
    expect(await findUsersByEmail(pool, 'gone@example.com')).toEqual([])
    expect((await run(['list', '--company', 'co_1'])).stdout).toMatch(/\tdisabled 20\S+Z\tADMIN\tgone@/)
    const foreign = await run(['disable', '--company', 'co_2', '--email', 'gone@example.com'])
    expect(foreign).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/co_2 has no user/),
    })
  })
})

describe('users enable', () => {
  it('allows sign-ins with the previous password again', async () => {
    await create('back@example.com', 'correct horse battery')
    const before = await findUsersByEmail(pool, 'back@example.com')
    await run(['disable', '--company', 'co_1', '--email', 'back@example.com'])
    const enabled = await run(['enable', '--company', 'co_1', '--email', 'Back@example.com'])
    expect(enabled).toEqual({ status: 0, stdout: 'Enabled Back@example.com.\n', stderr: '' })
    expect(before).toHaveLength(1)
    expect(await findUsersByEmail(pool, 'back@example.com')).toEqual(before)
    expect((await run(['list', '--company', 'co_1'])).stdout).toMatch(/\tactive\tADMIN\tback@/)
    const foreign = await run(['enable', '--company', 'co_2', '--email', 'back@example.com'])
    expect([foreign.status, foreign.stderr]).toEqual([1, expect.stringMatching(/co_2 has no user/)])
  })
})

describe('users create on a terminal', () => {
  /** Types each text at its prompt. `script` of util-linux provides a real terminal. */
  async function type(email: string, ...texts: string[]) {
    const program = resolve('bin/quoting.js')
    const command = `'${process.execPath}' '${program}' users create --company co_1 --email ${email} --name Ada --role ADMIN`
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env['PATH'] ?? '', ...SETTINGS },
    })
    atEnd(async () => child.kill('SIGKILL'))
    let shown = ''
    child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
    const ended = once(child, 'close')
    for (const [i, text] of texts.entries()) {
      await expect
        .poll(() => shown, { timeout: 20_000 })
        .toMatch(i === 0 ? /Password: $/ : /Repeat the password: $/)
      child.stdin.write(text)
    }
    const [status] = (await ended) as [number]
    return { status, shown }
  }

  it('asks for the password twice and never shows it', async () => {
    const { status, shown } = await type('typed@example.com', 'typed in seCret\r', 'typed in seCret\r')
    expect(status).toBe(0)
    expect(shown).toMatch(/^Password: \r\nRepeat the password: \r\nCreated user_\S+\.\r\n$/)
    expect(await isPassword('typed@example.com', 'typed in seCret')).toBe(true)
  })

  it.each([
    [
      'two passwords that differ',
      ['typed in seCret\r', 'typed in secret\r'],
      /quoting: the two passwords differ\r\n$/,
    ],
    ['a password that is too short', ['short\r'], /quoting: the password must have 8 to 200 characters\r\n$/],
    ['the end of the input', ['\u0004'], /quoting: no password was given\r\n$/],
  ])('%s: fails without a user', async (_, texts, message) => {
    const { status, shown } = await type('wrong@example.com', ...texts)
    expect(status).toBe(1)
    expect(shown).toMatch(message)
    expect(shown).not.toMatch(/secret|short\b/i)
    expect(await findUsersByEmail(pool, 'wrong@example.com')).toEqual([])
  })

  it('ends on Ctrl-C', async () => {
    const { status } = await type('wrong@example.com', 'typed\u0003')
    expect(status).toBe(130)
    expect(await findUsersByEmail(pool, 'wrong@example.com')).toEqual([])
  })
})
