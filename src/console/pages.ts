/** The pages of the application: one document for all of them, and what it loads, as `npm run build` made it. */
import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from '../core/requests/accept-encoding.ts'
import { CONSOLE_PAGES, LINK_PAGES } from '../core/console-pages.ts'
import { RECORD_PAGES } from '../core/record-kinds.ts'
import { ApiError } from '../core/requests/errors.ts'
import { basePath, fontFaces, fontPreload } from '../http/fonts.ts'

/** The same from the sources and from what is built of them. */
const BUILT = new URL('../../dist/browser/', import.meta.url)

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface Asset {
  type: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

/** `answerNothing` answers a request for an asset that does not exist. */
export function registerPages(
  app: FastifyInstance,
  publicUrl: () => string,
  answerNothing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  let document: string | undefined
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // A program that forgot /api would take a page for an answer.
    if (request.headers['x-api-key'] !== undefined && request.routeOptions.url !== '/')
      throw new ApiError('not_found', { message: 'There is nothing at this path. See /docs for the API.' })
    document ??= readDocument()
    const nonce = randomBytes(16).toString('base64url')
    const base = basePath(publicUrl())
    return reply
      .headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(
        document
          .replaceAll('__NONCE__', nonce)
          .replace('__BASE__', base)
          .replace('<!-- fonts -->', fontTags(base, nonce)),
      )
  }
  for (const path of [...Object.values(CONSOLE_PAGES), ...Object.values(LINK_PAGES)]) app.get(path, sendPage)
  for (const path of Object.values(RECORD_PAGES)) {
    app.get(path, sendPage)
    app.get(`${path}/:id`, sendPage)
  }

  let assets: Map<string, Asset> | undefined
  app.get('/assets/:name', async (request, reply) => {
    assets ??= readAssets()
    const { name } = request.params as { name: string }
    const asset = assets.get(name)
    if (asset === undefined) return answerNothing(request, reply)
    const { encoding } = acceptedEncoding(request.raw.headers['accept-encoding'])
    if (encoding !== null) reply.header('content-encoding', encoding)
    return reply
      .headers({ 'cache-control': cacheControl(name), vary: 'accept-encoding' })
      .type(asset.type)
      .send(asset[encoding ?? 'plain'])
  })
}

function fontTags(base: string, nonce: string): string {
  return `${fontPreload(base)}\n    <style nonce="${nonce}">${fontFaces(base)}</style>`
}

/** Scripts, styles and fonts come from here only. Styles in the page have the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function readDocument(): string {
  try {
    return readFileSync(new URL('index.html', BUILT), 'utf8')
  } catch (error) {
    const message = 'The console is not built. Run "npm run build", then try again.'
    throw new ApiError('not_found', { message, cause: error })
  }
}

/** All of them, compressed when they were built: nothing of it is work for a request. */
function readAssets(): Map<string, Asset> {
  const folder = new URL('assets/', BUILT)
  const read = (name: string) => readFileSync(new URL(name, folder))
  const names = readdirSync(folder).filter((name) => extname(name) in TYPES)
  return new Map(
    names.map((name) => {
      const type = TYPES[extname(name)] ?? ''
      return [name, { type, plain: read(name), br: read(`${name}.br`), gzip: read(`${name}.gz`) }]
    }),
  )
}

/** Most names have a hash of what is inside. */
function cacheControl(name: string): string {
  return /-[\w-]{8}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}
