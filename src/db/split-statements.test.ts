import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { splitStatements } from './split-statements.ts'

describe('splitStatements', () => {
  it('ends a statement at a semicolon, except in comments, texts, names and bodies', () => {
    const statements = [
      `-- a; comment\nSELECT 1`,
      ` SELECT 'it''s; one', "a;b""c"`,
      `\nCREATE FUNCTION f() RETURNS trigger AS $$ BEGIN; RETURN 'x;'; END $$`,
      `\nDO $body$ SELECT $$;$$; $body$`,
    ]
    expect(splitStatements(`${statements.join(';')};\n-- the end;\n`)).toEqual(statements)
  })

  it('keeps every statement of the migrations', () => {
    for (const name of readdirSync('migrations').filter((file) => file.endsWith('.sql'))) {
      const statements = splitStatements(readFileSync(`migrations/${name}`, 'utf8'))
      expect(statements.length, name).toBeGreaterThan(0)
      for (const statement of statements)
        expect(statement.replaceAll(/--[^\n]*/g, '').trim(), name).toMatch(
          /^(ALTER|CREATE|DROP|INSERT|LOCK|UPDATE|DELETE|SET|DO|WITH|COMMENT|SELECT|ANALYZE)\b/,
        )
    }
  })
})
