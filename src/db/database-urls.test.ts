import { describe, expect, it } from 'vitest'
import { splitDatabaseUrl, withDatabaseName } from './database-urls.ts'

describe('a database URL', () => {
  it.each([
    ['postgres://u:p@db:5432/q', ['postgres://u:p@db:5432/q']],
    ['postgres://u:p@a:1,b:2/q', ['postgres://u:p@a:1/q', 'postgres://u:p@b:2/q']],
    [
      'postgresql://a,b,c/q?sslmode=require',
      ['a', 'b', 'c'].map((host) => `postgresql://${host}/q?sslmode=require`),
    ],
    ['postgres://u:p,w@a,b/q', ['postgres://u:p,w@a/q', 'postgres://u:p,w@b/q']],
    ['postgres://u:p%40@a,b?x=1,2', ['postgres://u:p%40@a?x=1,2', 'postgres://u:p%40@b?x=1,2']],
    ['postgres://u@/q?host=/run/a,b', ['postgres://u@/q?host=/run/a,b']],
    ['mysql://a,b/q', ['mysql://a,b/q']],
  ])('splits %s into %j', (text, urls) => {
    expect(splitDatabaseUrl(text)).toEqual(urls)
  })
})

describe('the URL of another database on the same server', () => {
  it.each([
    ['postgres://u:p@db:5432/quoting', 'postgres://u:p@db:5432/copy_1'],
    ['postgres://u:p@db/quoting?sslmode=require', 'postgres://u:p@db/copy_1?sslmode=require'],
    ['postgresql://u:p@/quoting?host=/run/pg', 'postgresql://u:p@/copy_1?host=/run/pg'],
    ['postgres://db', 'postgres://db/copy_1'],
  ])('for %s is %s', (url, expected) => {
    expect(withDatabaseName(url, 'copy_1')).toBe(expected)
  })
})
