/** The HTTP server: every route and hook, in one explicit list. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { ApiError } from '../core/requests/errors.ts'
import { nameCompany } from '../core/security/company-tag.ts'
import { createFormTokens } from '../core/security/form-token.ts'
import type { ChangeListener } from '../changes/listener.ts'
import type { HangWatch } from '../db/hang-watch.ts'
import type { Read, Replicas } from '../db/replica.ts'
import { createAdmission } from '../http/admission.ts'
import type { Admission } from '../http/admission.ts'
import { createApp } from '../http/app.ts'
import { createAddressOf } from '../api/authenticate.ts'
import { isAllowedUrl } from '../changes/webhooks/addresses.ts'
import { sendTestEvent } from '../changes/webhooks/test-event.ts'
import type { WorkerCounts } from '../changes/webhooks/worker.ts'
import type { MailCounts } from '../changes/mail/worker.ts'
import type { MailFrom } from '../core/mail/settings.ts'
import { createMailSeal } from '../core/security/mail-seal.ts'
import type { Outbox } from '../records/mail/queue.ts'
import { createWebhookSecrets } from '../core/security/webhook-secret.ts'
import { addVary, compressResponses } from '../http/compression.ts'
import { registerPages } from '../console/pages.ts'
import type { ConsoleWebhooks } from '../console/route.ts'
import { createSessions } from '../console/session.ts'
import { registerConsole } from '../console/register.ts'
import { registerDocs } from '../api/docs.ts'
import type { Drain } from '../http/drain.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { ENDPOINTS } from '../api/endpoints.ts'
import { createEntrance } from '../api/entrance.ts'
import type { EntranceParts } from '../api/entrance.ts'
import { createLargePages } from '../http/large-pages.ts'
import type { LargePages } from '../http/large-pages.ts'
import { createMetrics } from '../http/metrics.ts'
import type { Metrics } from '../http/metrics.ts'
import { openRequest } from '../http/open-request.ts'
import { registerFonts } from '../http/fonts.ts'
import { registerFormPages } from '../pages/form-page.ts'
import { registerInvoicePage } from '../pages/invoice-page.ts'
import { registerLogoFile } from '../pages/logo-file.ts'
import { redirectToCompany } from '../pages/company-redirect.ts'
import { registerQuotePage } from '../pages/quote-page.ts'
import { createNotFoundPage } from '../pages/not-found-page.ts'
import { createPathList } from '../api/path-list.ts'
import { registerProbes } from '../http/probes.ts'
import { registerEndpoints } from '../api/register-endpoints.ts'
import { addRequestContext } from '../api/request-context.ts'
import type { RequestLog } from '../api/request-log.ts'
import { createSecurityHeaders } from '../http/security-headers.ts'
import { registerSecurityTxt } from '../http/security-txt.ts'
import { createPieces } from '../http/slow-readers.ts'
import { createCustomerUrls } from './customer-urls.ts'
import { sendError, toApiError } from './send-error.ts'

export interface ServerParts extends Omit<EntranceParts, 'readKeys'> {
  data: Pool
  keys: Pool
  /** If absent, everything is read from `data`. */
  replicas?: Replicas
  /** For the console; its sums and searches use `reports`. */
  console: Pool
  reports: Pool
  logger: Logger
  /** The public URL, for the documentation. */
  publicUrl: () => string
  /** Where to report vulnerabilities: a `mailto:` or `https:` URL. */
  securityContact?: string | undefined
  /** The key of the demo world, shown on /docs; absent unless the demo is served. */
  demoKey?: () => string | undefined
  /** The current one first. */
  appSecrets: readonly [string, ...string[]]
  /** LINKS_NAME_COMPANY. */
  linksNameCompany?: boolean
  /** Wakes up requests that wait for a change. */
  changes: ChangeListener
  /** False until the first migration has succeeded. */
  isMigrated: () => boolean
  /** The request log of each company; if absent, nothing is recorded. */
  requestLog?: RequestLog
  /** Registers a listener that is called when the database hangs. */
  onDatabaseHang?: HangWatch['onHang']
  /** How it shuts down; if absent, at once. */
  drain?: Drain
  endpoints?: readonly Endpoint[]
  /** WEBHOOK_ALLOW_PRIVATE. */
  webhookAllowPrivate?: boolean
  /** If absent, this process delivers no webhooks. */
  webhookCounts?: () => WorkerCounts
  /** If absent, no mail is sent. */
  mail?: { from: MailFrom; counts: () => MailCounts } | undefined
}

export function buildServer(parts: ServerParts): FastifyInstance {
  const securityHeaders = createSecurityHeaders(parts.publicUrl)
  const app = createApp(parts.logger, securityHeaders)
  addRequestContext(app)
  const paths = createPathList(app)
  const { onDatabaseHang } = parts
  const admission = createAdmission(slotsFor(parts), { onDatabaseHang })
  const largePages = createLargePages(onDatabaseHang)
  const countRequests = () => {
    const [all, large] = [admission.counts(), largePages.counts()]
    return { active: all.active + large.active, waiting: all.waiting + large.waiting }
  }
  const metrics = createMetrics(
    { data: parts.data, keys: parts.keys, console: parts.console, reports: parts.reports },
    parts.replicas?.list ?? [],
    countRequests,
    parts.requestLog,
    parts.webhookCounts,
    parts.mail?.counts,
  )
  app.addHook('onRequest', (request, reply, done) => {
    if (parts.drain?.isClosing() === true) reply.header('connection', 'close')
    openRequest(request, reply, securityHeaders())
    // Answers without reading the body: an unknown path has no use for it.
    if (request.is404) answerUnknown(request, reply)
    else done()
  })
  compressResponses(app)
  parts.drain?.register(app)
  logResponses(app, metrics, parts.requestLog)
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(toApiError(error, request), request, reply, request.routeOptions.config.endpoint),
  )
  const notFoundPage = createNotFoundPage(parts.publicUrl)
  const answerNothing = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (notFoundPage.isPossible(request)) addVary(reply, 'accept')
    if (notFoundPage.isWanted(request)) return notFoundPage.send(reply)
    const message = 'There is nothing at this path. See /docs for the API.'
    return sendError(new ApiError('not_found', { message }), request, reply, undefined)
  }
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allow = paths.methodsOf(request.url)
    if (allow.length === 0) return answerNothing(request, reply)
    const headers = { allow: allow.join(', ') }
    const message = `${request.method} is not supported here; use ${headers.allow}`
    const endpoint = paths.endpointOf(request.url)
    return sendError(new ApiError('method_not_allowed', { message, headers }), request, reply, endpoint)
  }
  app.setNotFoundHandler(answerUnknown)
  // Endpoints parse the bytes themselves, since each decides how to answer a wrong content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  registerRoutes(app, parts, { admission, largePages, metrics, answerNothing })
  return app
}

interface RouteParts {
  admission: Admission
  largePages: LargePages
  metrics: Metrics
  answerNothing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

function registerRoutes(app: FastifyInstance, parts: ServerParts, routeParts: RouteParts): void {
  const { data, console: db, reports, appSecrets, publicUrl, onDatabaseHang, endpoints = ENDPOINTS } = parts
  const { linksNameCompany = false } = parts
  const { admission, largePages, metrics, answerNothing } = routeParts
  const inPieces = createPieces()
  const {
    invoiceTokens: tokens,
    quoteTokens,
    urls,
  } = createCustomerUrls(appSecrets, publicUrl, linksNameCompany)
  const addresses = { allowPrivate: parts.webhookAllowPrivate === true }
  const secrets = createWebhookSecrets(...appSecrets)
  const webhooks: ConsoleWebhooks = {
    secrets,
    isAllowedUrl: (url) => isAllowedUrl(url, addresses),
    sendTest: (client, endpoint) => sendTestEvent(client, endpoint, { ...addresses, secrets }),
  }
  const outbox = outboxOf(parts)
  const readKeys: Read = parts.replicas?.readPrimary(parts.keys) ?? ((work) => work(parts.keys))
  registerEndpoints(app, endpoints, createEntrance({ ...parts, readKeys }, admission), {
    ...parts,
    admission,
    largePages,
    inPieces,
    ...urls,
    webhooks,
    outbox,
  })
  const addressOf = createAddressOf(parts.trustedProxies)
  const sessions = createSessions({ db, appSecrets, publicUrl, linksNameCompany, addressOf })
  registerQuotePage(app, {
    db: data,
    tokens: quoteTokens,
    admission,
    publicUrl,
    addressOf,
    ...urls,
    outbox,
    isUserOf: sessions.isUserOf,
  })
  registerInvoicePage(app, { db: data, tokens, admission, publicUrl })
  registerLogoFile(app, { db: data, admission })
  registerFonts(app, answerNothing)
  registerProbes(app, parts, metrics)
  registerDocs(app, endpoints, publicUrl, parts.demoKey ?? (() => undefined))
  const formTokens = nameCompany(createFormTokens(...appSecrets), linksNameCompany)
  if (linksNameCompany) redirectToCompany(app, { publicUrl, tokens, quoteTokens, formTokens })
  const shared = {
    appSecrets,
    publicUrl,
    linksNameCompany,
    addressOf,
    ...urls,
    onDatabaseHang,
    inPieces,
    webhooks,
    formTokens,
    outbox,
  }
  registerFormPages(app, { db: data, admission, ...shared })
  registerConsole(app, { db, reports, ...shared })
  registerPages(app, publicUrl, answerNothing)
  registerSecurityTxt(app, parts)
}

function outboxOf({ mail, appSecrets, publicUrl }: ServerParts): Outbox | undefined {
  if (mail === undefined) return undefined
  return { seal: createMailSeal(appSecrets).seal, publicUrl, from: mail.from.address }
}

/** Logs and measures each request when its response is sent or its client has disconnected. */
function logResponses(app: FastifyInstance, metrics: Metrics, requestLog: RequestLog | undefined): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, holder, endpoint } = request
    // The pattern, not the URL: a key that a client puts into the URL by mistake stays out of log and metrics.
    // `routeOptions` is a getter that creates an object on every access.
    const route = endpoint?.path ?? request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    metrics.observeRequest(method, route, status, elapsedTime / 1000)
    requestLog?.note(request, status, elapsedTime)
    const durationMs = Math.round(elapsedTime * 1000) / 1000
    request.log.info({ method, route, status, durationMs, company: holder?.companyId }, 'request')
    done()
  })
}

/** Twice the number of connections: one request in the database, one on its way there or back. */
function slotsFor({ data, replicas }: ServerParts): number {
  const pools = [data, ...(replicas?.list ?? []).map(({ pool }) => pool)]
  return 2 * pools.reduce((sum, { options }) => sum + options.max, 0)
}
