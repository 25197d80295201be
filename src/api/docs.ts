/** The OpenAPI document, the reference page and the Postman collection. All of them work offline. */
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import { buildOpenApi } from './openapi.ts'
import { REFERENCE_POLICY, renderFontStyles, renderReference } from './reference/page.ts'
import { buildPostmanCollection } from './reference/postman.ts'
import { sendStatic } from '../http/static-content.ts'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e69"/>
<path d="M9 8h14v16l-3.5-2-3.5 2-3.5-2L9 24z" fill="#fff"/><path d="M12 13h8M12 17h5" stroke="#0b6e69" stroke-width="2"/></svg>
`

export function registerDocs(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  publicUrl: () => string,
  demoKey: () => string | undefined,
): void {
  let document: Buffer | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    document ??= Buffer.from(JSON.stringify(buildOpenApi(endpoints, publicUrl())))
    reply.header('cache-control', 'public, max-age=60').type('application/json; charset=utf-8')
    return sendStatic(request, reply, document)
  })

  const queries = new Map(
    endpoints.flatMap(({ operation, example: { query } }) =>
      query === undefined ? [] : [[operation, query]],
    ),
  )
  const renderPage = keepByKey((key) =>
    renderReference({ document: buildOpenApi(endpoints, publicUrl()), queries, demoKey: key }),
  )
  app.get('/docs', async (request, reply) => {
    reply
      .headers({ 'content-security-policy': REFERENCE_POLICY, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
    return sendStatic(request, reply, renderPage(demoKey()))
  })

  const fontStyles = Buffer.from(renderFontStyles())
  app.get('/docs/fonts.css', async (request, reply) => {
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8')
    return sendStatic(request, reply, fontStyles)
  })

  const renderCollection = keepByKey((key) =>
    JSON.stringify(buildPostmanCollection(buildOpenApi(endpoints, publicUrl()), key)),
  )
  app.get('/docs/postman.json', async (request, reply) => {
    reply
      .headers({
        'cache-control': 'no-cache',
        'content-disposition': 'attachment; filename="event-quoting-service.postman_collection.json"',
      })
      .type('application/json; charset=utf-8')
    return sendStatic(request, reply, renderCollection(demoKey()))
  })

  app.get('/docs/icon.svg', async (_, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(ICON),
  )
}

/** Rendered once for each demo key, of which there is one or none. Anyone may request it often, so it is not rendered again. */
function keepByKey(render: (key: string | undefined) => string): (key: string | undefined) => Buffer {
  const rendered = new Map<string | undefined, Buffer>()
  return (key) => {
    const bytes = rendered.get(key) ?? Buffer.from(render(key))
    rendered.set(key, bytes)
    return bytes
  }
}
