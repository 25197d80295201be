/** Keys leave no trace, changes of access take effect everywhere, and allowed addresses are enforced exactly. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { openPool } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { CHANGES, measureChange } from '../test/support/access-changes.ts'
import { ADDRESS_ROWS, TRUSTED, insertLists, statusOfRow } from '../test/support/allowed-addresses.ts'
import { freePort, spawnCommand } from '../test/support/command.ts'
import type { RunningCommand } from '../test/support/command.ts'
import { connectionUrl } from '../test/support/connections.ts'
import { DENIAL_REASONS, listDenials } from '../test/support/denials.ts'
import { answerText, dumpTables, issueKeys, keySearch, useKey } from '../test/support/issued-keys.ts'
import { insertCompany } from '../test/support/records.ts'
import { insertForTiming, keyTimingFigures, signInTimingFigure } from './access-timing.ts'
import type { Figure, Item, Settings } from './item.ts'
import { createRandom } from './random.ts'

const KEYS = 1_000
/** Number of keys that the command creates */
const BY_COMMAND = 10

interface Setting {
  connection: Connection
  pool: Pool
  run: (...args: string[]) => Promise<string>
  serve: (settings?: Record<string, string>) => Promise<{ port: number; process: RunningCommand }>
}

export const access: Item = {
  name: 'access',
  title: 'Access',
  run: async ({ seed, quick, folder }: Settings) => {
    const dataDir = join(folder, 'access')
    const database = await startEmbedded(dataDir)
    const started: RunningCommand[] = []
    const settings = {
      DATABASE_URL: connectionUrl(database.connection),
      APP_SECRET: 'a secret of thirty-two characters',
    }
    const pool = openPool(database.connection, 'data', () => undefined)
    const setting: Setting = {
      connection: database.connection,
      pool,
      run: async (...args) => {
        const command = spawnCommand(args, settings)
        started.push(command)
        if ((await command.ended) !== 0) throw new Error(`${args.join(' ')}: ${command.stderr()}`)
        return command.stdout() + command.stderr()
      },
      serve: async (more = {}) => {
        const port = await freePort()
        const process = spawnCommand(['serve'], {
          ...settings,
          LOG_LEVEL: 'debug',
          PORT: String(port),
          ...more,
        })
        started.push(process)
        await process.waitFor(/API at/)
        return { port, process }
      },
    }
    let keys: string[]
    const figures: Figure[] = []
    try {
      const traces = await keyFigures(setting)
      keys = traces.keys
      figures.push(...traces.figures)
      await insertForTiming(pool)
      figures.push(...(await changeFigures(setting, quick ? 10 : 100, createRandom(seed).fraction)))
      figures.push(...(await addressFigures(setting)), await denialFigure(setting))
      figures.push(...(await timingFigures(setting, quick)))
    } finally {
      for (const command of started) command.kill('SIGKILL')
      await Promise.all(started.map(({ ended }) => ended))
      await pool.end()
      await database.stop()
    }
    return [
      ...figures,
      noneFound('keys in the files of the database, including its log', fileTexts(dataDir), keys),
    ]
  },
}

async function keyFigures(setting: Setting): Promise<{ keys: string[]; figures: Figure[] }> {
  const { connection, run, serve, pool } = setting
  const { port, process: serving } = await serve()
  await insertCompany(pool, 'co_1')
  const byCommand: string[] = []
  for (let i = 0; i < BY_COMMAND; i++)
    byCommand.push((await run('keys', 'create', '--company', 'co_1', '--name', `Command ${i}`)).trim())
  const keys = [...byCommand, ...(await issueKeys(connection, 'co_1', KEYS - BY_COMMAND))]
  const answers: string[] = []
  let works = 0
  for (const key of keys) {
    const all = await useKey(port, key)
    if (all[0]?.status === 200) works++
    answers.push(...all.map(answerText))
  }
  const listed = await run('keys', 'list', '--company', 'co_1')
  const outputs = [
    listed,
    await run('export'),
    await run('doctor'),
    await run('keys', 'revoke', '--company', 'co_1', idIn(listed)),
  ]
  serving.kill('SIGTERM')
  await serving.ended
  return {
    keys,
    figures: [
      { name: 'keys issued that work', value: works, goal: String(KEYS), pass: works === KEYS },
      noneFound('keys in a dump of every table', await dumpTables(connection), keys),
      noneFound('keys in the log', [serving.stderr(), serving.stdout()], keys),
      noneFound(`keys in ${answers.length} responses`, answers, keys),
      noneFound('keys in the output of other commands', outputs, keys),
    ],
  }
}

function idIn(listed: string): string {
  return listed.split('\t')[0] ?? ''
}

function noneFound(name: string, texts: Iterable<string>, keys: readonly string[]): Figure {
  const findKeys = keySearch(keys)
  let characters = 0
  let found = 0
  for (const text of texts) {
    characters += text.length
    found += findKeys(text).length
  }
  const detail = `${(characters / 1e6).toFixed(1)} MB searched`
  return { name, value: found, goal: '0', pass: found === 0 && characters > 0, detail }
}

function* fileTexts(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) yield readFileSync(join(entry.parentPath, entry.name), 'latin1')
}

async function changeFigures(setting: Setting, trials: number, random: () => number): Promise<Figure[]> {
  const { port } = await setting.serve()
  const { connection } = setting
  const figures = CHANGES.map(async (change): Promise<Figure> => {
    const times = await measureChange(change, { connection, port, trials, random })
    const worst = Math.max(...times)
    return {
      name: `${change}: worst ms until another process applies it`,
      value: Math.round(worst),
      goal: 'less than 1000',
      pass: worst < 1_000 && times.length >= trials,
      detail: `${trials} trials, ${times.length} changes`,
    }
  })
  return Promise.all(figures)
}

async function addressFigures(setting: Setting): Promise<Figure[]> {
  await insertLists(setting.pool)
  const ports: Record<string, number> = {}
  for (const [name, proxies] of Object.entries(TRUSTED))
    ports[name] = (await setting.serve(proxies.length === 0 ? {} : { TRUST_PROXY: proxies.join(',') })).port
  const wrong: string[] = []
  for (const row of ADDRESS_ROWS) {
    const status = await statusOfRow(ports[row.trusted] ?? 0, row)
    if (status !== (row.allowed ? 200 : 401)) wrong.push(`${status}: ${JSON.stringify(row)}`)
  }
  const [first] = wrong
  return [
    {
      name: 'rows of the table of allowed addresses',
      value: ADDRESS_ROWS.length,
      goal: 'at least 60',
      pass: ADDRESS_ROWS.length >= 60,
    },
    {
      name: 'rows with a wrong response',
      value: wrong.length,
      goal: '0',
      pass: wrong.length === 0,
      ...(first === undefined ? {} : { detail: first }),
    },
  ]
}

async function denialFigure(setting: Setting): Promise<Figure> {
  const { port } = await setting.serve()
  const denials = await listDenials(port)
  const distinguishable = denials.filter(
    ({ answers }) => answers.length !== 1 || answers[0]?.includes('"status":401') !== true,
  )
  return {
    name: 'endpoints with distinguishable denials',
    value: distinguishable.length,
    goal: '0',
    pass: distinguishable.length === 0,
    detail: `${DENIAL_REASONS.length} reasons at ${denials.length} endpoints`,
  }
}

async function timingFigures(setting: Setting, quick: boolean): Promise<Figure[]> {
  const { port } = await setting.serve({ LOG_LEVEL: 'error' })
  return [
    await signInTimingFigure(setting.pool, port, quick ? 7 : 25),
    ...(await keyTimingFigures(port, quick ? 300 : 2_000)),
  ]
}
