/** Moves of a company between two cells behind a real haproxy, under a light load of reads and writes. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { transact } from '../src/db/transaction.ts'
import { withDb } from '../src/db/connect.ts'
import { beginMove } from '../src/records/change/moving.ts'
import { checkDerived } from '../src/world/derived.ts'
import { startCells } from '../test/support/cells.ts'
import type { Cell } from '../test/support/cells.ts'
import { PASSWORD, emailOf } from '../test/support/console.ts'
import { runCommand, startCommand } from '../test/support/process.ts'
import { exportText } from '../test/support/world.ts'

const COMPANIES = { a: 'harbor', b: 'rivage' }
const cells = await startCells(COMPANIES)
const { url, api, settings } = cells

const move = (company: string, to: string, settle = '5') =>
  runCommand(['companies', 'move', company, '--to', to, '--settle', settle], settings)

const createLead = (company: string, key: string) =>
  api(company, '/api/leads', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ firstName: key }),
  })

const count = async ({ pool }: Cell, table: string, company: string): Promise<number> => {
  const column = table === 'companies' ? 'id' : 'company_id'
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${table} WHERE ${column} = $1`,
    [company],
  )
  return rows[0]?.count ?? -1
}

const tablesOf = async ({ pool }: Cell): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE column_name = 'company_id' AND table_schema = 'public' ORDER BY 1`,
  )
  return ['companies', ...rows.map(({ name }) => name)]
}

/** Reads and writes of a company until `stop`. Writes are retried with their idempotency key. */
function startLoad(company: string) {
  const done = new AbortController()
  const acknowledged: string[] = []
  const wrong: string[] = []
  let rejectedCount = 0
  const write = async () => {
    const key = randomUUID()
    let answer = await createLead(company, key)
    while (answer.status === 503 && answer.headers.get('retry-after') === '1') {
      rejectedCount++
      await answer.text()
      await sleep(100)
      answer = await createLead(company, key)
    }
    const { id } = (await answer.json()) as { id: string }
    if (answer.status === 201) acknowledged.push(id)
    else wrong.push(`a write got ${answer.status}`)
    const read = await api(company, `/api/leads/${id}`)
    const lead = (await read.json()) as { firstName?: string }
    if (read.status !== 200 || lead.firstName !== key) wrong.push(`lead ${id} got ${read.status}`)
  }
  const readLocation = async () => {
    const answer = await api(company, '/api/locations/loc')
    const { name } = (await answer.json()) as { name?: string }
    if (answer.status !== 200 || name !== `Quay of ${company}`) wrong.push(`a read got ${answer.status}`)
  }
  const repeat = async (work: () => Promise<void>) => {
    while (!done.signal.aborted) {
      await work()
      await sleep(10)
    }
  }
  const clients = Promise.all([repeat(write), repeat(write), repeat(readLocation), repeat(readLocation)])
  return {
    acknowledged,
    stop: async () => {
      done.abort()
      await clients
      return { wrong, rejectedCount }
    },
  }
}

describe('quoting companies move', () => {
  it('loses no write, and sends no wrong response', async () => {
    const company = COMPANIES.a
    const [moved, other] = [startLoad(company), startLoad(COMPANIES.b)]
    await vi.waitFor(() => expect(moved.acknowledged.length).toBeGreaterThan(20), { timeout: 20_000 })
    const invoice = (await (await api(company, '/api/invoices/inv')).json()) as { url: string }

    // A message that is scheduled for another attempt
    await cells.a.pool.query(
      `INSERT INTO mails (company_id, id, kind, to_address, subject, text, html, attempts, last_error, next_attempt_at)
       VALUES ($1, 'mail_1', 'test', 'ada@example.com', 'Test', 'Test', 'Test', 1, 'Timeout', now() + interval '1 hour')`,
      [company],
    )

    const result = await move(company, 'b', '10')
    expect(result).toMatchObject({ status: 0, stderr: '' })
    expect(result.stdout).toMatch(
      /can be read, but not changed, until it is in cell b\.\nCopied \d+ rows to cell b\. The export has the SHA-256 [0-9a-f]{64} in both cells\.\n[^\n]+\nRemoved the company from cell a\.\n$/,
    )
    const before = moved.acknowledged.length
    await vi.waitFor(() => expect(moved.acknowledged.length).toBeGreaterThan(before + 20), {
      timeout: 20_000,
    })
    const [{ wrong, rejectedCount }, others] = [await moved.stop(), await other.stop()]
    expect([wrong, others]).toEqual([[], { wrong: [], rejectedCount: 0 }])
    // Otherwise the move was too short for this test.
    expect(rejectedCount).toBeGreaterThan(0)

    for (const table of await tablesOf(cells.a))
      expect([table, await count(cells.a, table, company)]).toEqual([table, 0])
    const { rows } = await cells.b.pool.query<{ id: string }>('SELECT id FROM leads WHERE company_id = $1', [
      company,
    ])
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([...moved.acknowledged, 'lead']))
    const { rows: sequences } = await cells.b.pool.query<{ sequence: string }>(
      'SELECT sequence FROM changes WHERE company_id = $1 ORDER BY sequence',
      [company],
    )
    expect(sequences.map(({ sequence }) => Number(sequence))).toEqual(sequences.map((_, i) => i + 1))
    for (const table of ['webhook_deliveries', 'idempotency_records', 'quote_stretches', 'request_log'])
      expect([table, await count(cells.b, table, company)]).not.toEqual([table, 0])
    // Workers of the new cell take over.
    const { rows: work } = await cells.b.pool.query(
      `SELECT m.status, m.attempts, m.next_attempt_at <= now() AS is_due, k.moving_to, e.lease_owner IS NOT DISTINCT FROM 'moving' AS is_taken
       FROM mails m JOIN change_counters k USING (company_id) JOIN webhook_endpoints e USING (company_id)
       WHERE company_id = $1`,
      [company],
    )
    expect(work).toEqual([{ status: 'pending', attempts: 1, is_due: true, moving_to: null, is_taken: false }])
    const findings: string[] = []
    for (const { connection } of [cells.a, cells.b])
      await checkDerived(connection, (finding) => findings.push(finding))
    expect(findings).toEqual([])

    expect((await fetch(invoice.url)).status).toBe(200)
    expect((await fetch(`${url}/f/form-of-${company}`)).status).toBe(200)
    const login = await fetch(`${url}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: emailOf('ADMIN', company), password: PASSWORD }),
    })
    expect(login.status).toBe(204)
    expect(await move(company, 'b')).toEqual({
      status: 0,
      stdout: 'The company harbor is in cell b.\n',
      stderr: '',
    })
  })

  it('can be repeated after an interruption during the copy or after the switch', async () => {
    const company = COMPANIES.b
    const world = await exportText(cells.b.connection, company)
    // The state after a process was killed before the copy was complete.
    await withDb(cells.b.connection, (client) =>
      transact(client, (inside) => beginMove(inside, company, 'a')),
    )
    const rejected = await createLead(company, randomUUID())
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await api(company, '/api/locations/loc')).status).toBe(200)
    const keys = await runCommand(
      ['keys', 'create', '--company', company, '--name', 'Site'],
      cells.b.settings,
    )
    expect([keys.status, keys.stderr]).toEqual([1, expect.stringContaining('is being moved')])
    const elsewhere = await runCommand(['companies', 'move', company, '--to', 'c'], {
      CELLS: `${settings.CELLS} c=${cells.a.settings.DATABASE_URL}`,
    })
    expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('moving to cell a')])

    for (const step of [/can be read, but not changed/, /Cell a has the company/]) {
      const killed = startCommand(['companies', 'move', company, '--to', 'a', '--settle', '600'], settings)
      await killed.waitFor(step)
      killed.kill('SIGKILL')
      expect(await killed.ended).toBe('SIGKILL')
    }
    const key = randomUUID()
    await vi.waitFor(async () => expect((await createLead(company, key)).status).toBe(201), {
      timeout: 20_000,
    })
    expect(await count(cells.b, 'companies', company)).toBe(1)

    const back = await move(company, 'b')
    expect([back.status, back.stderr]).toEqual([1, expect.stringContaining('moving from cell b to cell a')])

    expect(await move(company, 'a', '0')).toMatchObject({ status: 0, stderr: '' })
    expect(await count(cells.b, 'companies', company)).toBe(0)
    const lines = (await exportText(cells.a.connection, company)).split('\n')
    const added = lines.filter((line) => line.includes(key))
    expect(added).toHaveLength(1)
    expect(lines.filter((line) => !added.includes(line)).join('\n')).toBe(world)
  })

  it('can be canceled by a move back, and rejects impossible moves', async () => {
    const company = COMPANIES.b
    await withDb(cells.a.connection, (client) =>
      transact(client, (inside) => beginMove(inside, company, 'b')),
    )
    expect(await move(company, 'a')).toMatchObject({
      status: 0,
      stdout: 'The company rivage is in cell a.\n',
    })
    expect((await createLead(company, randomUUID())).status).toBe(201)

    expect(await move('co_none', 'b')).toMatchObject({
      status: 1,
      stderr: 'quoting: no cell has the company co_none\n',
    })
    expect(await move(company, 'z')).toMatchObject({ status: 1, stderr: 'quoting: CELLS has no cell z\n' })

    // The other cell has a form with the same address, so the company stays and accepts writes.
    await cells.b.pool.query(`UPDATE forms SET slug = $2 WHERE company_id = $1 AND id = 'form'`, [
      COMPANIES.a,
      `form-of-${company}`,
    ])
    const conflict = await move(company, 'b')
    expect([conflict.status, conflict.stderr]).toEqual([
      1,
      expect.stringContaining('the same key or form already'),
    ])
    expect(await count(cells.b, 'companies', company)).toBe(0)
    expect((await createLead(company, randomUUID())).status).toBe(201)
  })
})
