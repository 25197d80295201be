/** Checks the schema and the statements for Citus without a Citus server. system/citus.test.ts runs them on real servers. */
import { describe, expect, it } from 'vitest'
import { PLACEMENTS } from '../src/db/table-placement.ts'
import { RULES, listTemplates } from './support/citus-rules.ts'
import { createDatabase } from './support/database.ts'

const { pool } = await createDatabase()
const distributed = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === 'distributed')
const local = Object.keys(PLACEMENTS).filter((name) => PLACEMENTS[name] === 'local')

const namesOf = async (query: string, values: unknown[] = []) =>
  (await pool.query<{ name: string }>(query, values)).rows.map(({ name }) => name)

describe('the schema', () => {
  it('has a placement for each table: add new ones to src/db/table-placement.ts', async () => {
    const tables = await namesOf(
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    )
    expect(Object.keys(PLACEMENTS).toSorted()).toEqual(tables.toSorted())
  })

  it('has company_id text COLLATE "C" NOT NULL in each distributed table', async () => {
    const tables = await namesOf(
      `SELECT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE a.attname = 'company_id' AND a.atttypid = 'text'::regtype AND a.attcollation = '"C"'::regcollation
         AND a.attnotnull AND c.relname = ANY($1)`,
      [distributed],
    )
    expect(tables.toSorted()).toEqual(distributed)
  })

  it('has no triggers', async () => {
    expect(await namesOf('SELECT tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal')).toEqual([])
  })

  it('has no foreign key from the coordinator to the workers', async () => {
    const keys = await namesOf(
      `SELECT f.conname::text AS name FROM pg_constraint f
       JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class o ON o.oid = f.confrelid
       WHERE f.contype = 'f' AND t.relname = ANY($1) AND o.relname = ANY($2)`,
      [local, distributed],
    )
    expect(keys).toEqual([])
  })
})

const TEMPLATES = listTemplates()

/** Statements for single servers that have a separate version for Citus. */
const SINGLE_SERVER = [/^WITH RECURSIVE tried AS .* UPDATE companies c SET/]

describe('each statement of the source', () => {
  it('is found', () => {
    expect(TEMPLATES.length).toBeGreaterThan(500)
    for (const pattern of SINGLE_SERVER)
      expect(
        TEMPLATES.filter(({ text }) => pattern.test(text)),
        String(pattern),
      ).toHaveLength(1)
  })

  it.each(Object.entries(RULES))('%s', (_, isBroken) => {
    const broken = TEMPLATES.filter(
      ({ text }) => isBroken(text) && !SINGLE_SERVER.some((pattern) => pattern.test(text)),
    )
    expect(broken).toEqual([])
  })
})

describe('the rules', () => {
  it.each([
    ['selects', 'SELECT 1 WHERE EXISTS (SELECT FROM quotes WHERE company_id = $1)'],
    ['does not identify', 'DELETE FROM tasks WHERE ctid = ANY ($1)'],
    [
      'has no now() or random function in COALESCE',
      'UPDATE tasks t SET done_at = coalesce(t.done_at, now()) WHERE a = 1',
    ],
    [
      'has no now() or random function in COALESCE',
      'UPDATE quotes SET a = 1, b = CASE WHEN c THEN clock_timestamp() END WHERE d',
    ],
    [
      'has no now() or random function in DO UPDATE',
      'INSERT INTO tasks (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = greatest(now(), $1)',
    ],
    [
      'has no now() or random function in COALESCE',
      'UPDATE ${} t SET ${} = coalesce(t.${}, transaction_timestamp()) WHERE ${}',
    ],
    [
      'has no now() or random function in COALESCE',
      'UPDATE ${} SET (${}) = ROW (${}, coalesce(f(g(a)), now())) FROM ${} s',
    ],
    [
      'has no now() or random function in COALESCE',
      'UPDATE quotes SET a = (SELECT b FROM leads WHERE c), d = CASE WHEN e THEN current_timestamp(3) END',
    ],
    [
      'has no now() or random function in COALESCE',
      'WITH a AS (UPDATE events SET b = 1 RETURNING c) UPDATE quotes q SET d = coalesce(q.d, localtimestamp)',
    ],
    ['has no now() or random function in COALESCE', 'done_at = coalesce(t.done_at, statement_timestamp())'],
    ['has no now() or random function in COALESCE', '${} = CASE WHEN $3 THEN current_timestamp END'],
    ['has no now() or random function in COALESCE', ', ${} = coalesce(${}, current_date)'],
    [
      'has no now() or random function in DO UPDATE',
      'INSERT INTO ${} (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = localtimestamp',
    ],
    ['assigns no column', "updated_at = greatest(now(), t.updated_at + interval '1 millisecond')"],
    ['assigns no column', "UPDATE ${} t SET a = t.a + interval '1 day' WHERE ${}"],
    ['gives a table an alias', 'INSERT INTO tasks (id) SELECT id FROM events RETURNING ${}'],
    ['gives a table an alias', 'INSERT INTO ${} (id) SELECT id FROM events RETURNING id, ${}'],
    ['does not read the workers', 'INSERT INTO mails (id) SELECT id FROM quotes WHERE company_id = $1'],
  ])('reject a statement: %s', (start, text) => {
    const broken = Object.keys(RULES).filter((name) => RULES[name]?.(text) === true)
    expect(broken.filter((name) => name.startsWith(start))).toHaveLength(1)
  })

  it.each([
    'UPDATE quotes SET a = CASE WHEN b THEN clock.now END FROM (SELECT now() AS now) clock WHERE c',
    'UPDATE mails SET a = coalesce(a, now()), b = CASE WHEN c THEN current_timestamp END WHERE d',
    'UPDATE ${} SET booked_at = now(), a = coalesce($3, b) WHERE ${}',
    'SELECT coalesce(current_timestamp_of, ${}) FROM quotes',
  ])('accept a statement: %s', (text) => {
    expect(Object.keys(RULES).filter((name) => RULES[name]?.(text) === true)).toEqual([])
  })
})
