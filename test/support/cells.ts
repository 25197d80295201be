/** Two cells with a company each, behind a real haproxy with the configuration of docs/haproxy-cells.cfg. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { createCertificate, createTlsFetch } from './certificate.ts'
import type { Fetch, TextRequest } from './certificate.ts'
import { createDatabase } from './database.ts'
import type { TestDatabase } from './database.ts'
import { connectionUrl } from './connections.ts'
import { startProxy } from './database-proxy.ts'
import type { DatabaseProxy } from './database-proxy.ts'
import { freePort } from './command.ts'
import type { RunningCommand } from './command.ts'
import { plantUser } from './console.ts'
import { TEST_LOGO } from './logo.ts'
import { runCommand, startCommand } from './process.ts'
import { findProgram, programFolder, startProgram } from './programs.ts'
import { importValid, MINIMAL_WORLD } from './world.ts'
import type { TestRecord } from './world.ts'

export const APP_SECRET = 'a secret of thirty-two characters'

const DOCUMENTED = new URL('../../docs/haproxy-cells.cfg', import.meta.url)

/** One record of each kind. Companies have the same ids and different names, so that responses of a wrong cell are noticed. */
function companyWorld(companyId: string): TestRecord[] {
  const own: Record<string, TestRecord> = {
    company: { id: companyId, name: `The company ${companyId}`, logo: TEST_LOGO },
    apiKey: { companyId, key: `a-plain-key-of-${companyId}` },
    form: {
      companyId,
      slug: `form-of-${companyId}`,
      purpose: 'QUOTE',
      publishedAt: '2026-01-01T00:00:00.000Z',
    },
    location: { companyId, name: `Quay of ${companyId}` },
    invoice: { companyId, issuedAt: '2026-01-01T00:00:00.000Z', invoiceNumber: `1 of ${companyId}` },
  }
  return MINIMAL_WORLD.map((record) => ({ ...record, ...(own[String(record['object'])] ?? { companyId }) }))
}

export interface Cell extends TestDatabase {
  name: string
  settings: { DATABASE_URL: string; APP_SECRET: string }
  /** Between the cell and its database */
  proxy: DatabaseProxy
  serving: RunningCommand
  /** Starts a process on the port of the cell. */
  serve: () => Promise<RunningCommand>
}

export interface TestCells {
  a: Cell
  b: Cell
  /** Settings of `quoting cells` */
  settings: { CELLS: string }
  /** The URL of haproxy */
  url: string
  /** The URL that redirects to TLS */
  plainUrl: string
  /** The certificate. Empty without TLS */
  ca: string
  mapFile: string
  /** `quoting cells map --follow` */
  following: RunningCommand
  fetch: Fetch
  /** Sends a request with the key of the company. */
  api: (companyId: string, path: string, init?: TextRequest) => Promise<Response>
}

export async function startCells(
  companies: { a: string; b: string },
  { isTls = false } = {},
): Promise<TestCells> {
  const [port, plain] = [await freePort(), await freePort()]
  const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`
  const ports = { a: await freePort(), b: await freePort() }
  const [a, b] = await Promise.all([
    startCell('a', companies.a, url, ports.a),
    startCell('b', companies.b, url, ports.b),
  ])
  const settings = { CELLS: `a=${a.settings.DATABASE_URL} b=${b.settings.DATABASE_URL}` }

  const folder = programFolder()
  const [mapFile, socket] = [join(folder, 'cells.map'), join(folder, 'cells.sock')]
  const first = await runCommand(['cells', 'map', '--file', mapFile], settings)
  if (first.status !== 0) throw new Error(first.stderr)
  const { ca, bundle } = isTls ? await createCertificate(folder) : { ca: '', bundle: '' }
  const configuration = readFileSync(DOCUMENTED, 'utf8')
    .replace(
      /^ {2}bind :443 ssl crt \S+( alpn \S+)$/m,
      (_, alpn: string) => `  bind 127.0.0.1:${port}${isTls ? ` ssl crt ${bundle}${alpn}` : ''}`,
    )
    .replace('  bind :80\n', `  bind 127.0.0.1:${plain}\n`)
    .replaceAll('/etc/haproxy/cells.map', mapFile)
    .replaceAll('/run/haproxy/cells.sock', socket)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports.a}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${ports.b}`)
  writeFileSync(join(folder, 'haproxy.cfg'), configuration)
  const haproxy = startProgram(
    findProgram('haproxy', 'haproxy'),
    ['-db', '-f', join(folder, 'haproxy.cfg')],
    {
      cwd: folder,
      endSignal: 'SIGTERM',
    },
  )
  const send: Fetch = isTls ? createTlsFetch(ca) : fetch
  const api: TestCells['api'] = (companyId, path, init) =>
    send(url + path, { ...init, headers: { 'x-api-key': `a-plain-key-of-${companyId}`, ...init?.headers } })
  const checkServing = async () => {
    for (const company of Object.values(companies)) {
      const { status } = await api(company, '/api/locations')
      if (status !== 200) throw new Error(`haproxy does not serve ${company}: ${status} ${haproxy.output()}`)
    }
  }
  await vi.waitFor(checkServing, { timeout: 10_000 })
  const follow = ['cells', 'map', '--file', mapFile, '--socket', socket, '--follow']
  const following = startCommand(follow, settings)
  const plainUrl = `http://127.0.0.1:${plain}`
  return { a, b, settings, url, plainUrl, ca, mapFile, following, fetch: send, api }
}

async function startCell(name: string, companyId: string, url: string, port: number): Promise<Cell> {
  const database = await createDatabase()
  await importValid(database.connection, companyWorld(companyId))
  await plantUser(database, companyId)
  const proxy = await startProxy(database.connection)
  const settings = { DATABASE_URL: connectionUrl(proxy.connection), APP_SECRET }
  const serve = async () => {
    const serving = startCommand(['serve'], {
      ...settings,
      PUBLIC_URL: url,
      LINKS_NAME_COMPANY: 'true',
      TRUST_PROXY: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'error',
    })
    await serving.waitFor(/API at/)
    return serving
  }
  return { ...database, name, settings, proxy, serving: await serve(), serve }
}
