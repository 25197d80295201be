/** The files for containers and systemd (docs/containers.md). CI also builds and starts the image. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../src/server/config.ts'
import { BUNDLED } from '../supply-chain/lockfile.ts'
import { temporaryFolder } from './support/process.ts'

/** Optional programs. .ci/run installs systemd, but not caddy, whose package starts a server. */
const [systemdAnalyze, caddy] = ['/usr/bin/systemd-analyze', '/usr/bin/caddy'].map((program) => {
  if (existsSync(program)) return [program]
  console.warn(`test/containers.test.ts skips a check: ${program} is not installed`)
  return []
}) as [string[], string[]]

const APP_SECRET = 'hVx2pQ8nT4kLw9Zr7sYc1mBd5fGj3aEu'
const dockerfile = readFileSync('Dockerfile', 'utf8')
const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line))

interface ComposeService {
  image: string
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  entrypoint?: unknown
  command?: string[]
  volumes?: string[]
  depends_on?: unknown
  healthcheck?: { test: string[]; interval: string }
}
const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>
}

describe('the image', () => {
  it('has a valid Dockerfile', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([])
  })

  it('runs as a user without privileges, reports its health and serves by default', () => {
    const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
    expect(last).toContain('USER node')
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
    expect(last.at(-1)).toBe('CMD ["serve"]')
  })

  it('contains only the folders that the program reads', () => {
    const copied = instructions.flatMap((line) => /^COPY --from=build \/app\/(\S+) /.exec(line)?.[1] ?? [])
    expect(copied).toEqual(['package.json', 'bin', 'dist', 'docs', 'migrations', 'node_modules'])
    expect(copied.filter((name) => !existsSync(name))).toEqual([])
    expect(instructions.filter((line) => line.startsWith('COPY --from') && / \/app( |$)/.test(line))).toEqual(
      [],
    )
  })

  it('contains the licenses of bundled packages', () => {
    const text = readFileSync('dist/browser/licenses.md', 'utf8')
    expect(BUNDLED.filter((name) => !text.includes(`## ${name} `))).toEqual([])
  })

  it('is built without settings and data of the checkout', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    for (const name of ['.*', '**/.env*', 'data', 'deploy', 'node_modules']) expect(ignored).toContain(name)
  })
})

describe('the compose file', () => {
  it('starts a database, the service, a proxy and a backup', () => {
    expect(Object.keys(compose.services)).toEqual(['database', 'service', 'proxy', 'backup'])
  })

  it.each(['service', 'backup'])(
    'runs %s without privileges and without write access to its files',
    (name) => {
      expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    },
  )

  it('backs up once a day, after the service has created its tables', () => {
    const { service, backup } = compose.services
    expect(backup).toMatchObject({
      command: ['backup', '--every', '24h', '--keep', '14', '/backups'],
      volumes: ['backups:/backups'],
      depends_on: { service: { condition: 'service_healthy' } },
    })
    // A shell would not forward SIGTERM.
    expect(backup?.entrypoint).toBeUndefined()
    const [, ...probe] = service?.healthcheck?.test ?? []
    const imageProbe = /CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? ''
    expect(probe).toEqual(
      (JSON.parse(imageProbe) as string[]).map((part) => part.replace("'+process.env.PORT+'", '3000')),
    )
    expect(instructions.some((line) => line.startsWith('ENV ') && line.includes(' PORT=3000 '))).toBe(true)
  })

  it('hides metrics and probes behind the proxy', () => {
    expect(readFileSync('deploy/Caddyfile', 'utf8')).toMatch(
      /@operators path \/metrics \/readyz \/healthz\n\s+respond @operators 404/,
    )
  })

  it.each(caddy)('has settings that the proxy accepts: %s', (program) => {
    const options = {
      env: { DOMAIN: 'quotes.example.com', HOME: temporaryFolder() },
      encoding: 'utf8',
    } as const
    const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile']
    expect(spawnSync(program, args, options)).toMatchObject({ status: 0, stdout: 'Valid configuration\n' })
  })

  it('has settings that the service accepts', () => {
    const values: Record<string, string> = {
      DOMAIN: 'quotes.example.com',
      APP_SECRET,
      POSTGRES_PASSWORD: 'password',
      SECURITY_CONTACT: 'security@example.com',
    }
    const environment = Object.entries(compose.services['service']?.environment ?? {}).map(([name, text]) => [
      name,
      text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => values[variable] ?? ''),
    ])
    expect(readConfig(Object.fromEntries(environment) as Record<string, string>)).toMatchObject({
      databaseUrl: 'postgres://quoting:password@database:5432/quoting',
      publicUrl: 'https://quotes.example.com',
      trustedProxies: ['172.28.0.0/16'],
      smtp: undefined,
    })
  })
})

describe('the systemd units', () => {
  const UNITS = {
    'quoting@.service': ['[Unit]', '[Service]', '[Install]'],
    'quoting-backup.service': ['[Unit]', '[Service]'],
    'quoting-backup.timer': ['[Unit]', '[Timer]', '[Install]'],
  }

  it.each(Object.entries(UNITS))('%s has its sections', (name, sections) => {
    expect(readFileSync(join('deploy', name), 'utf8').match(/^\[\w+\]$/gm)).toEqual(sections)
  })

  it.each(['quoting@.service', 'quoting-backup.service'])('%s waits for network and database', (name) => {
    const lines = readFileSync(join('deploy', name), 'utf8').split('\n')
    expect(lines).toContain('After=network-online.target postgresql.service')
    expect(lines).toContain('Wants=network-online.target')
  })

  it('have settings in the documentation that the service accepts', () => {
    const [, block = ''] =
      /> \/etc\/quoting\.env <<END\n([^]*?)END\n/.exec(readFileSync('docs/containers.md', 'utf8')) ?? []
    const settings = block.replace(/\$\(.*\)/, APP_SECRET).matchAll(/^(\w+)=(.*)$/gm)
    const environment = Object.fromEntries([...settings].map(([, name = '', value = '']) => [name, value]))
    expect(readConfig(environment)).toMatchObject({
      databaseUrl: 'postgres://quoting:password@127.0.0.1:5432/quoting',
      appSecret: APP_SECRET,
      publicUrl: 'https://quotes.example.com',
      trustedProxies: ['127.0.0.1'],
    })
  })

  it.each(systemdAnalyze)('are valid: %s', (program) => {
    const folder = temporaryFolder()
    for (const name of Object.keys(UNITS)) {
      // A template unit needs an instance name, and Node can be in another folder on this machine.
      const text = readFileSync(join('deploy', name), 'utf8').replaceAll('/usr/bin/node', process.execPath)
      writeFileSync(join(folder, name.replace('@', '@3001')), text)
    }
    const options = { cwd: folder, encoding: 'utf8' } as const
    const found = spawnSync(program, ['verify', ...readdirSync(folder)], options)
    expect(found).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })
})

describe('the workflow of CI', () => {
  it('gives .ci/run more time than it plans', () => {
    const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
      jobs: Record<string, { 'timeout-minutes': number }>
    }
    const [, planned] = /-lt \$\(\((\d+) \* 60\)\)/.exec(readFileSync('.ci/run', 'utf8')) ?? []
    expect(jobs['verify']?.['timeout-minutes']).toBe(Number(planned) + 10)
  })
})
