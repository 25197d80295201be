import type { Connection } from '../../src/db/connect.ts'

/** Connects to another database of the same server. */
export function onDatabase(server: Connection, database: string): Connection {
  if (server.connectionString === undefined) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** The name of the template with the demo world. */
export const demoTemplateOf = (template: string) => `${template}_demo`

/** The connection as a URL, for child processes. */
export function connectionUrl(connection: Connection): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const { host, port, user, password, database } = connection
  const query = new URLSearchParams({ host: host ?? '', port: String(port) })
  return `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?${query.toString()}`
}
