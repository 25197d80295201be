/** `quoting serve`: starts the server with its database, and stops it without dropping a request. */
import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { loadAppSecret } from './app-secret.ts'
import type { Config } from './config.ts'
import { isWeakSecret } from '../core/security/app-secret-strength.ts'
import { openPool, withDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { watchForHangs } from '../db/hang-watch.ts'
import { startExpiry } from '../changes/expiry.ts'
import { createChangeListener } from '../changes/listener.ts'
import { removeAllExpired } from '../actions/idempotency.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { isPoolerError } from '../db/pooler-hint.ts'
import { openReplicas } from '../db/replica.ts'
import { watchWorkers } from '../db/worker-watch.ts'
import { createDrain } from '../http/drain.ts'
import { createRequestLog } from '../api/request-log.ts'
import { buildServer } from './build-server.ts'
import { announceDemo, isLoopback } from './demo.ts'
import { announceSetup } from './setup.ts'
import { createLogger, logDestination } from './log.ts'
import { checkMailSettings, createMailService } from './mail.ts'
import { print } from '../cli/print.ts'
import { createShutdown } from './shutdown.ts'
import type { Shutdown } from './shutdown.ts'
import { createWebhookService } from './webhooks.ts'
import { repairAfterMigration } from '../world/derived.ts'
import { fillWithDemo } from '../world/demo/fill-with-demo.ts'

interface ServeOptions {
  /** Fill an empty database with the demo world first. */
  demo: boolean
}

const POOLS_END_MS = 1_000
const RETRY_MS = 1_000

export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const destination = logDestination()
  const logger = createLogger(config.logLevel, destination)
  destination.onLost((lines) => logger.warn({ lines }, 'log lines were dropped because the log was not read'))
  const shutdown = createShutdown({ signalExitCode: () => 0 })
  shutdown.add(async () => destination.flushSync())
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception')
    void shutdown.run().then(() => process.exit(1))
  })
  try {
    await start(config, options, logger, shutdown)
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

async function start(
  config: Config,
  options: ServeOptions,
  logger: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const appSecret = loadAppSecret(config)
  checkMailSettings(config)
  warnAboutSettings(config, logger)
  const opening = openDatabase(config, (problem) => logger.error(problem))
  shutdown.add(async () => (await opening.catch(() => undefined))?.stop())
  const { connection } = await opening
  const { log, webhooks: webhookPool, hangWatch, ...pools } = openPools(connection, config, logger, shutdown)
  let migrated = false
  const requestLog = createRequestLog({ pool: log, isMigrated: () => migrated, log: logger })
  shutdown.add(() => requestLog.stop())
  const drain = createDrain()
  const changes = createChangeListener({ connection, db: log, log: logger })
  const appSecrets: [string, ...string[]] =
    config.previousAppSecret === undefined ? [appSecret] : [appSecret, config.previousAppSecret]
  const allowPrivate = config.webhookAllowPrivate ?? (options.demo && isLoopback(config.host))
  let demoKey: string | undefined
  const publicUrl = () => config.publicUrl ?? listeningUrl(app, config.host)
  const sending = { pool: webhookPool, appSecrets, changes, log: logger }
  const webhooks = createWebhookService({ ...sending, allowPrivate })
  const mail = createMailService({ ...sending, config, publicUrl })
  const app: FastifyInstance = buildServer({
    ...pools,
    logger,
    trustedProxies: config.trustedProxies,
    rateLimitPerMinute: config.rateLimitPerMinute,
    publicUrl,
    securityContact: config.securityContact,
    demoKey: () => demoKey,
    appSecrets,
    linksNameCompany: config.linksNameCompany,
    webhookAllowPrivate: allowPrivate,
    webhookCounts: webhooks.counts,
    mail,
    isMigrated: () => migrated,
    onDatabaseHang: hangWatch.onHang,
    requestLog,
    drain,
    changes,
  })
  await listen(app, config)
  shutdown.add(() => Promise.all([drain.run(app), webhooks.stop(), mail?.stop()]))
  shutdown.add(() => changes.stop())
  migrated = await prepare(connection, options, logger)
  const preparing = migrated ? Promise.resolve() : prepareLater(connection, options, logger)
  void preparing.then(() => {
    migrated = true
    webhooks.start()
    mail?.start()
    shutdown.add(startExpiry({ pool: log, keptDays: config.changesKeptDays, log: logger }))
    return repairInBackground(connection, logger, shutdown)
  })
  print(`Event Quoting Service: API at ${publicUrl()}/api, reference at ${publicUrl()}/docs`)
  void preparing
    .then(() => announceSetup(pools.console, publicUrl()))
    .catch((error: unknown) => logger.warn({ err: error }, 'no setup link was created; restart to get one'))
  if (options.demo) {
    demoKey = await announceDemo({ ...pools, ...config, appSecrets, publicUrl })
  }
}

/** Warns about settings that work but are risky. */
function warnAboutSettings(config: Config, logger: Logger): void {
  if (config.previousAppSecret !== undefined && isWeakSecret(config.previousAppSecret))
    logger.warn(
      'APP_SECRET_PREVIOUS is weak: anyone who guesses it can open invoices; unset it when its links may end',
    )
  if (config.publicUrl !== undefined && config.securityContact === undefined)
    logger.warn('SECURITY_CONTACT is not set: /.well-known/security.txt names no address for reports')
}

/** All connection pools of the server. They close with it. */
function openPools(connection: Connection, config: Config, logger: Logger, shutdown: Shutdown) {
  const onPoolError = (error: Error) => logger.warn({ err: error }, 'a database connection was lost')
  const data = openPool(connection, 'data', onPoolError, config.databaseConnections)
  const keys = openPool(connection, 'keys', onPoolError)
  const consolePool = openPool(connection, 'console', onPoolError)
  const reports = openPool(connection, 'reports', onPoolError)
  const log = openPool(connection, 'log', onPoolError)
  const webhooks = openPool(connection, 'webhooks', onPoolError)
  const replicas = openReplicas({
    data,
    primary: connection,
    replicas: config.replicaUrls.map((url) => ({ connectionString: url, pooler: config.pooler })),
    connections: config.databaseConnections,
    lagMaxSeconds: config.replicaLagMaxSeconds,
    log: logger,
  })
  const watched = [data, keys, consolePool, reports]
  const hangWatch = watchForHangs({ pools: watched, primary: connection, log: logger })
  const watchOptions = { pools: watched, primary: connection, cut: hangWatch.cut, log: logger }
  const stopWorkerWatch = connection.isDistributed === true ? watchWorkers(watchOptions) : undefined
  // With a timeout: a hanging statement ends when the database stops, or with this process.
  const background = [log, webhooks]
  const endPools = () =>
    Promise.all([
      ...[...watched, ...background].map((pool) => pool.end()),
      replicas.stop(),
      hangWatch.stop(),
      stopWorkerWatch?.(),
    ])
  shutdown.add(() => Promise.race([endPools(), sleep(POOLS_END_MS)]))
  return { data, keys, console: consolePool, reports, log, webhooks, replicas, hangWatch }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host: await listeningAddress(host), port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    const message = `port ${port} on ${host} is in use; stop what uses it, or choose another, as in PORT=${port + 1}`
    throw new Error(message, { cause: error })
  }
}

/**
 * If `localhost` resolves to two addresses, Fastify opens a second server, which has neither our limits nor our shutdown.
 */
async function listeningAddress(host: string): Promise<string> {
  if (host !== 'localhost') return host
  const found = await lookup(host, { all: true })
  return (found.find(({ family }) => family === 4) ?? found[0])?.address ?? host
}

function listeningUrl(app: FastifyInstance, host: string): string {
  const { port } = app.server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Migrates and fills in demo data. False if the database is temporarily unreachable. */
async function prepare(connection: Connection, { demo }: ServeOptions, logger: Logger): Promise<boolean> {
  try {
    const applied = await migrate(connection, (message) => logger.warn(message))
    if (applied.length > 0) logger.info({ applied }, 'the schema is up to date')
    if (demo) await fillWithDemo(connection)
    await withDb(connection, removeAllExpired)
    return true
  } catch (error) {
    if (!isAway(error)) throw error
    logger.warn({ err: error }, 'the database cannot be reached; trying again')
    return false
  }
}

async function prepareLater(connection: Connection, options: ServeOptions, logger: Logger): Promise<void> {
  let done = false
  while (!done) {
    await sleep(RETRY_MS, undefined, { ref: false })
    done = await prepare(connection, options, logger).catch((error: unknown) => {
      logger.error({ err: error }, 'the database cannot be prepared; trying again')
      return false
    })
  }
}

/** In the background, since it takes seconds with a million service days. */
async function repairInBackground(connection: Connection, logger: Logger, shutdown: Shutdown): Promise<void> {
  let isStopping = false
  shutdown.add(async () => void (isStopping = true))
  try {
    const repaired = await repairAfterMigration(connection)
    if (repaired > 0) logger.warn({ repaired }, 'derived data was wrong and is repaired')
  } catch (error) {
    if (!isStopping) logger.warn({ err: error }, 'derived data was not checked; run "quoting doctor"')
  }
}

/** Temporary: network trouble, or a server that starts, stops or is full. A wrong password or setting is not. */
function isAway(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  if (isPoolerError(error as NodeJS.ErrnoException)) return false
  if (code === undefined) return /timeout|terminated/i.test(message)
  return /^(E[A-Z_]+|08...|57P0.|53300)$/.test(code)
}
