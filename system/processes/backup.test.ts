import { Readable, Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { QueryConfig } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { writeBackup } from '../../src/backup/backup.ts'
import { createReader } from '../../src/backup/format.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { describeTables, listTables, withColumns } from '../../src/db/backup-tables.ts'
import type { Connection } from '../../src/db/connect.ts'
import { listMigrations, migrate } from '../../src/db/migrate.ts'
import { fillWithDemo } from '../../src/world/demo/fill-with-demo.ts'
import { waitUntilBlocked } from '../../test/support/blocked.ts'
import { createDatabase } from '../../test/support/database.ts'
import {
  createBareDatabase,
  createDatabaseAt,
  describeSchema,
  readAllRows,
} from '../../test/support/schema.ts'
import { startServer } from '../../test/support/server.ts'
import { MINIMAL_WORLD, exportRecords, exportText, importValid } from '../../test/support/world.ts'

const KEY = 'eqs_demo_harborlight'

async function backUp(connection: Connection): Promise<Buffer> {
  const chunks: Buffer[] = []
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
  await writeBackup(connection, output, undefined)
  return Buffer.concat(chunks)
}

/** In chunks of an odd size, so that rows and markers cross their boundaries. */
function inPieces(file: Buffer): Readable {
  const pieces = Array.from({ length: Math.ceil(file.length / 1013) }, (_, i) =>
    file.subarray(i * 1013, (i + 1) * 1013),
  )
  return Readable.from(pieces)
}

const restore = (connection: Connection, file: Buffer) => restoreBackup(connection, inPieces(file))

describe('a backup and its restored copy', async () => {
  const source = await createDatabase()
  await fillWithDemo(source.connection)
  const server = await startServer(source.connection)
  const order = {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'idempotency-key': 'before-the-backup' },
    body: JSON.stringify({
      eventId: 'event_0246_1',
      description: 'Tab \t, line \n, \\. and \\N: as they are',
    }),
  }
  const created = await server.call('/api/task/create', order)
  await source.pool.query(`UPDATE schema_migrations SET applied_at = '2026-01-02T03:04:05Z'`)
  const file = await backUp(source.connection)
  const target = await createBareDatabase()
  const summary = await restore(target.connection, file)

  it('have the same rows in every table, and the same schema', async () => {
    expect(created.status).toBe(201)
    const rows = await readAllRows(source.pool)
    expect(await readAllRows(target.pool)).toEqual(rows)
    expect(summary.rows).toBe(Object.values(rows).flat().length)
    expect(rows['idempotency_records']).toHaveLength(1)
    expect(rows['quote_stretches']?.length).toBeGreaterThan(100)
    expect(await describeSchema(target.pool)).toEqual(await describeSchema(source.pool))
  })

  it('have the same bytes in an export', async () => {
    const exported = await exportText(source.connection)
    expect(exported.length).toBeGreaterThan(100_000)
    expect(await exportText(target.connection)).toBe(exported)
  })

  it('have the same valid and revoked keys, and stored responses for retries', async () => {
    const restored = await startServer(target.connection)
    for (const path of ['/api/quotes?limit=100', '/api/quotes/quote_0246?expand[]=booking.events.staff']) {
      expect((await restored.get(path, KEY)).text).toBe((await server.get(path, KEY)).text)
    }
    expect((await restored.get('/api/quotes', `${KEY}_revoked`)).status).toBe(401)
    const retried = await restored.call('/api/task/create', order)
    expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(retried.text).toBe(created.text)
  })

  it('maintain derived data and have statistics for the planner', async () => {
    const [day] = await exportRecords(target.connection, {
      object: 'serviceDay',
      companyId: 'co_harborlight',
      quoteId: 'quote_0246',
    })
    const [serviceStartTime, serviceEndTime] = ['2031-01-01T00:00:00.000Z', '2031-01-01T01:00:00.000Z']
    await importValid(target.connection, [{ ...day, serviceStartTime, serviceEndTime }])
    const restored = await startServer(target.connection)
    const page = await restored.get('/api/quotes?service_start_time[gte]=2031-01-01T00:00:00Z', KEY)
    expect(page.body).toMatchObject({ data: [{ id: 'quote_0246' }] })
    const { rows } = await target.pool.query(`SELECT reltuples FROM pg_class WHERE relname = 'quotes'`)
    expect(rows).toEqual([{ reltuples: 388 }])
  })

  it('have every table, and the schema has no other kinds of objects', async () => {
    const { rows } = await source.pool.query<{ kind: string; name: string }>(`
      SELECT relkind AS kind, relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'c')`)
    expect(rows.filter(({ kind }) => kind !== 'r')).toEqual([])
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      (await listTables(await listMigrations())).toSorted(),
    )
  })
})

describe('a large table', () => {
  it('is backed up and restored in pieces with bounded memory, with a count of every row', async () => {
    const source = await createDatabase()
    await source.pool.query(`
      INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PREMIUM', 'USD');
      INSERT INTO leads (company_id, id, first_name) SELECT 'c', 'lead' || n, repeat('é', 1000)
        FROM generate_series(1, 30000) n`)
    const plainBytes = 30_000 * 2000
    const before = process.memoryUsage().rss
    let peak = before
    const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10)
    const file = await backUp(source.connection)
    const target = await createBareDatabase()
    const summary = await restore(target.connection, file)
    clearInterval(watching)
    // Companies, leads, migrations.
    expect(summary.rows).toBe(1 + 30_000 + (await listMigrations()).length)
    expect(gunzipSync(file).length).toBeGreaterThan(plainBytes)
    expect(peak - before).toBeLessThan(plainBytes * 0.75)
    const same = `SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM leads t`
    expect((await target.pool.query(same)).rows).toEqual((await source.pool.query(same)).rows)
  }, 90_000)
})

describe('a row', async () => {
  const source = await createDatabase()
  await importValid(source.connection, MINIMAL_WORLD)
  const plain = gunzipSync(await backUp(source.connection)).toString()
  const MIB = 1024 * 1024

  it('without an end is rejected as soon as it exceeds the limit for rows', async () => {
    const table = /\{"table":"leads"[^\n]+\n/.exec(plain)
    const until = plain.slice(0, (table?.index ?? 0) + (table?.[0].length ?? 0))
    const bomb = gzipSync(Buffer.concat([Buffer.from(until), Buffer.alloc(300 * MIB, 'x')]), { level: 1 })
    const target = await createBareDatabase()
    const before = process.memoryUsage().rss
    await expect(restore(target.connection, bomb)).rejects.toThrow(/a row has over 64 MiB/)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * MIB)
  })

  it('above the limit is rejected by the backup', async () => {
    const { connection, pool } = await createDatabase()
    await pool.query(`
      INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PREMIUM', 'USD');
      INSERT INTO leads (company_id, id, first_name) VALUES ('c', 'lead', repeat('x', 70000000))`)
    await expect(backUp(connection)).rejects.toThrow('a row of leads is too large for a backup')
  }, 60_000)

  it('is searched a constant number of times for any number of chunks', async () => {
    const header = JSON.stringify({
      format: 'event-quoting-service backup',
      version: 1,
      createdAt: '',
      migrations: ['x'],
    })
    const chunk = Buffer.alloc(4096, 'x')
    async function* file(length: number) {
      yield Buffer.from(`${header}\n{"table":"leads","columns":["id"]}\n`)
      for (let i = 0; i < length / chunk.length; i++) yield chunk
      yield Buffer.from('\n\\.\n')
    }
    const length = 6 * MIB
    const reader = createReader(file(length))
    await reader.header()
    await reader.nextTable()
    let searchedBytes = 0
    const indexOf = Buffer.prototype.indexOf
    vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, ...args) {
      searchedBytes += this.length
      return indexOf.apply(this, args)
    })
    let bytes = 0
    for await (const rows of reader.rows()) bytes += rows.length
    vi.restoreAllMocks()
    expect(bytes).toBe(length + 1)
    // Searching each chunk together with all previous ones would read 768 times the length.
    expect(searchedBytes).toBeGreaterThan(length)
    expect(searchedBytes).toBeLessThan(8 * length)
  })
})

describe('concurrent changes', () => {
  it('are not in a backup that began before', async () => {
    const { connection, pool } = await createDatabase()
    await importValid(connection, MINIMAL_WORLD)
    const before = await exportText(connection)
    // The backup has read some tables before it waits for this one. It reads the others after the commit.
    const writer = await pool.connect()
    await writer.query('BEGIN; LOCK TABLE leads')
    const writing = backUp(connection)
    await waitUntilBlocked(pool, 'COPY "leads"')
    await writer.query(`
      UPDATE companies SET name = 'Later';
      INSERT INTO leads (company_id, id) VALUES ('c', 'later');
      INSERT INTO tasks (company_id, id, event_id, description) VALUES ('c', 'later', 'evt', 'Later');
      COMMIT`)
    writer.release()
    const target = await createBareDatabase()
    await restore(target.connection, await writing)
    expect(await exportText(target.connection)).toBe(before)
    expect(await exportText(connection)).not.toBe(before)
  })

  it('wait only if they are migrations, which retry until their tables are free', async () => {
    const [first = '', ...others] = await listMigrations()
    const { connection, pool } = await createDatabaseAt([first])
    const holder = await pool.connect()
    await holder.query('BEGIN; LOCK TABLE tasks')
    const writing = backUp(connection)
    await waitUntilBlocked(pool, 'COPY "tasks"')
    const messages: string[] = []
    const migrating = migrate(connection, (message) => messages.push(message))
    await waitUntilBlocked(pool, 'INSERT INTO schema_migrations')
    await pool.query({ text: 'SELECT FROM quotes', query_timeout: 400 } as QueryConfig)
    await expect.poll(() => messages.length, { timeout: 30_000 }).toBeGreaterThan(0)
    await holder.query('COMMIT')
    holder.release()
    const file = await writing
    expect(await migrating).toEqual(others)
    expect(gunzipSync(file).toString()).toContain(`"migrations":["${first}"]`)
  })
})

describe('an invalid backup is rejected', async () => {
  const source = await createDatabase()
  await importValid(source.connection, MINIMAL_WORLD)
  const file = await backUp(source.connection)
  const plain = gunzipSync(file).toString()
  const bare = await createBareDatabase()

  const errorFrom = async (bytes: Buffer): Promise<string> => {
    const error = await restore(bare.connection, bytes).then(
      () => new Error('it was restored'),
      (reason: Error) => reason,
    )
    const { rows } = await bare.pool.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    )
    expect(rows).toEqual([])
    return error.message
  }

  it('a file that is truncated at any point', async () => {
    for (let i = 0; i < 20; i++) {
      const length = Math.floor((file.length * i) / 20)
      expect(await errorFrom(file.subarray(0, length))).toMatch(/is cut off|is not a backup/)
    }
    expect(await errorFrom(file.subarray(0, -1))).toMatch(/is cut off/)
  })

  it('a file with one changed bit', async () => {
    // The first ten bytes are the gzip header, which has a time and a system without a checksum.
    for (let i = 0; i < 20; i++) {
      const place = 10 + Math.floor(((file.length - 10) * i) / 20)
      const changed = Buffer.from(file)
      changed.writeUInt8((changed[place] ?? 0) ^ (1 << (i % 8)), place)
      // The bit can change the name of a migration in the header, which is checked before the checksum.
      expect(await errorFrom(changed)).toMatch(/is damaged|is cut off|is not a backup|does not know/)
    }
  })

  it.each([
    ['a changed text', (text: string) => text.replace('Harbor', 'Harvor')],
    ['a missing row', (text: string) => text.replace(/^c\tday\t.*\n/m, '')],
    ['a missing table', (text: string) => text.replace(/\{"table":"tasks"[^]*?\\\.\n/, '')],
    ['a missing end', (text: string) => text.replace(/\{"rows".*\n$/, '')],
    ['something after the end', (text: string) => `${text}{}\n`],
    ['unknown columns', (text: string) => text.replace('"event_id"', '"event_id\\") FROM STDIN; --"')],
    ['a table of PostgreSQL', (text: string) => text.replace('{"table":"tasks"', '{"table":"pg_authid"')],
  ])('%s', async (_, change) => {
    const changed = change(plain)
    expect(changed).not.toBe(plain)
    expect(await errorFrom(gzipSync(changed))).toMatch(/is damaged|is cut off/)
  })

  it('bytes after the end that gzip ignores, and two backups in one file', async () => {
    expect(await errorFrom(Buffer.concat([file, Buffer.alloc(5)]))).toMatch(/is damaged/)
    expect(await errorFrom(Buffer.concat([file, file]))).toMatch(/is damaged/)
  })

  it.each(['', 'quoting', '{"object":"company"}\n'])('a file that is not a backup: %j', async (text) => {
    expect(await errorFrom(Buffer.from(text))).toMatch(/is not a backup/)
    expect(await errorFrom(gzipSync(text))).toMatch(/is not a backup/)
  })

  it('and a complete backup is restored', async () => {
    const target = await createBareDatabase()
    await restore(target.connection, file)
    expect(await exportText(target.connection)).toBe(await exportText(source.connection))
  })
})

describe('names in statements', async () => {
  const { pool } = await createDatabase()
  const client = await pool.connect()
  const [table] = await describeTables(client, ['companies'])
  client.release()

  it('come from the catalog, and the file only selects from them', () => {
    if (table === undefined) throw new Error('the table of companies is missing')
    expect(withColumns(table, ['plan', 'id'])).toEqual({ name: 'companies', columns: ['plan', 'id'] })
    expect(withColumns(table, ['id', 'id") FROM STDIN; --'])).toBeNull()
  })
})

describe('targets and schemas of a restore', async () => {
  const source = await createDatabase()
  await importValid(source.connection, MINIMAL_WORLD)
  const file = await backUp(source.connection)
  const names = await listMigrations()

  it('rejects a database with a row, and does not change it', async () => {
    const target = await createDatabase()
    await target.pool.query(
      `INSERT INTO companies (id, name, plan, currency) VALUES ('x', 'X', 'PRO', 'USD')`,
    )
    const before = await readAllRows(target.pool)
    await expect(restore(target.connection, file)).rejects.toThrow(
      /is not empty: there are rows in companies/,
    )
    expect(await readAllRows(target.pool)).toEqual(before)
    expect(await describeSchema(target.pool)).toEqual(await describeSchema(source.pool))
  })

  it('accepts a migrated database without rows', async () => {
    const target = await createDatabase()
    await restore(target.connection, file)
    expect(await readAllRows(target.pool)).toEqual(await readAllRows(source.pool))
    expect(await describeSchema(target.pool)).toEqual(await describeSchema(source.pool))
  })

  it('migrates a backup of an earlier schema like the database', async () => {
    for (const count of names.keys()) {
      if (count === 0) continue
      const old = await createDatabaseAt(names.slice(0, count))
      await old.pool.query(`
        INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PREMIUM', 'USD');
        INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency)
          SELECT 'c', 'q' || n, 'lead', 'loc', 'Pier 4', 'USD' FROM generate_series(1, 200) n;
        INSERT INTO service_days (company_id, id, quote_id, service_start_time, service_end_time)
          SELECT 'c', 'd' || n, 'q' || n, now() + n * interval '1 day', now() + n * interval '2 days'
          FROM generate_series(1, 200) n`)
      const older = await backUp(old.connection)
      const target = await createBareDatabase()
      await restore(target.connection, older)
      await migrate(old.connection)
      const { schema_migrations: applied, ...rows } = await readAllRows(target.pool)
      const { schema_migrations: _, ...expected } = await readAllRows(old.pool)
      expect(rows).toEqual(expected)
      // Triggers filled this table until that migration. Now imports do.
      const hadTriggers = count <= names.indexOf('0006-no-triggers.sql')
      expect(rows['quote_stretches']?.length).toBeGreaterThanOrEqual(hadTriggers ? 1000 : 0)
      expect(applied).toHaveLength(names.length)
      expect(await describeSchema(target.pool)).toEqual(await describeSchema(source.pool))
      // A schema that is newer than the backup cannot be downgraded.
      const ahead = await createDatabase()
      await expect(restore(ahead.connection, older)).rejects.toThrow(/schema is not that of the backup/)
    }
  })

  it('rejects a backup and a database of a later release', async () => {
    const later = await createDatabase()
    await later.pool.query(`INSERT INTO schema_migrations (name) VALUES ('9999-later.sql')`)
    await expect(backUp(later.connection)).rejects.toThrow(
      /the database has migration 9999-later\.sql, which this release/,
    )
    const bare = await createBareDatabase()
    const header = gunzipSync(file).toString().replace('"migrations":[', '"migrations":["9999-later.sql",')
    await expect(restore(bare.connection, gzipSync(header))).rejects.toThrow(
      /the backup has migration 9999-later\.sql/,
    )
  })

  it('rejects a backup of a database that was never migrated', async () => {
    const bare = await createBareDatabase()
    await expect(backUp(bare.connection)).rejects.toThrow(/there is nothing to back up/)
  })
})
