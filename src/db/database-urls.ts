/** A PostgreSQL URL can name several servers: `postgres://user:password@db-1:5432,db-2:5432/quoting`. */

const PARTS = /^(postgres(?:ql)?:\/\/)([^/?]*)(.*)$/s

/** One URL for each server. The text may contain a password, so it belongs in no message. */
export function splitDatabaseUrl(text: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? []
  if (scheme === '') return [text]
  // A password may contain a comma.
  const end = authority.lastIndexOf('@') + 1
  const user = authority.slice(0, end)
  return authority
    .slice(end)
    .split(',')
    .map((host) => scheme + user + host + rest)
}

/** The same server, another database. */
export function withDatabaseName(text: string, name: string): string {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? []
  if (scheme === '') throw new Error('DATABASE_URL has no database that can be replaced')
  return `${scheme}${authority}/${encodeURIComponent(name)}${rest.replace(/^\/[^?#]*/, '')}`
}
