/** The OpenAPI document and a page that shows it. Everything comes from this process: the page works offline. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import { buildOpenApi } from './openapi.ts'

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets styles on its elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Event Quoting Service: API reference</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<header>
<a class="name" href="docs">Event Quoting Service</a>
<nav><a href="api/openapi.json">OpenAPI document</a></nav>
</header>
<main id="reference"><p class="wait">Loading the reference …</p></main>
<noscript><p class="wait">This page needs JavaScript; the <a href="api/openapi.json">OpenAPI document</a> does not.</p></noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`

/** The page calls the address it was loaded from, which need not be the public one. Relative: a proxy may add a path. */
const PAGE_SCRIPT = `'use strict'
fetch('api/openapi.json')
  .then((response) => response.json())
  .then((spec) => {
    window.ui = SwaggerUIBundle({
      dom_id: '#reference',
      spec: { ...spec, servers: [{ url: new URL('api', location.href).href }] },
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 1,
      displayRequestDuration: true,
      persistAuthorization: false,
      tryItOutEnabled: true,
      validatorUrl: null,
    })
  })
  .catch(() => {
    document.querySelector('.wait').textContent = 'The reference could not be loaded. Reload the page to try again.'
  })
`

const PAGE_STYLE = `:root { color-scheme: light; --ink: #1d2733; --line: #dde3ea; --accent: #0b6e69; }
body { margin: 0; background: #f7f9fb; color: var(--ink); font-family: system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; justify-content: space-between;
  padding: 1rem max(1.25rem, calc((100vw - 1420px) / 2)); background: #fff; border-bottom: 1px solid var(--line); }
header a { color: var(--accent); text-decoration: none; }
header a:hover, header a:focus-visible { text-decoration: underline; }
header .name { color: var(--ink); font-weight: 650; font-size: 1.1rem; }
.wait { padding: 3rem 1.25rem; text-align: center; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui table thead tr th, .swagger-ui .btn, .swagger-ui .parameter__name, .swagger-ui .info p, .swagger-ui .info li,
.swagger-ui .opblock-description-wrapper p, .swagger-ui .response-col_status, .swagger-ui section.models h4 {
  font-family: system-ui, sans-serif; color: var(--ink); }
.swagger-ui .info { margin: 2rem 0; }
.swagger-ui .info .main > a, .swagger-ui .info hgroup + a { display: none; }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 1rem; }
.swagger-ui .opblock { box-shadow: none; border-radius: 8px; }
.swagger-ui .opblock.opblock-get, .swagger-ui .opblock.opblock-post { background: #fff; border-color: var(--line); }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: var(--accent); }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #3d4f8f; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line); }
.swagger-ui .renderedMarkdown code, .swagger-ui .markdown code { color: var(--ink); background: #e9eef3; font-weight: 500; }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }
.swagger-ui section.models { border-color: var(--line); border-radius: 8px; background: #fff; }
`

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e69"/>
<path d="M9 8h14v16l-3.5-2-3.5 2-3.5-2L9 24z" fill="#fff"/><path d="M12 13h8M12 17h5" stroke="#0b6e69" stroke-width="2"/></svg>
`

interface Asset {
  path: string
  type: string
  content: () => string | Buffer
}

const ASSETS: Asset[] = [
  { path: '/docs/page.js', type: 'text/javascript; charset=utf-8', content: () => PAGE_SCRIPT },
  { path: '/docs/page.css', type: 'text/css; charset=utf-8', content: () => PAGE_STYLE },
  { path: '/docs/icon.svg', type: 'image/svg+xml', content: () => ICON },
  {
    path: '/docs/swagger-ui.css',
    type: 'text/css; charset=utf-8',
    content: () => readFileSync(join(SWAGGER_UI, 'swagger-ui.css')),
  },
  {
    path: '/docs/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
    content: () => readFileSync(join(SWAGGER_UI, 'swagger-ui-bundle.js')),
  },
]

export function registerDocs(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  publicUrl: () => string,
): void {
  let document: string | undefined
  app.get('/api/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(buildOpenApi(endpoints, publicUrl()))
    return reply
      .header('cache-control', 'public, max-age=60')
      .type('application/json; charset=utf-8')
      .send(document)
  })

  app.get('/docs', async (_, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(PAGE),
  )
  for (const { path, type, content } of ASSETS) {
    let kept: string | Buffer | undefined
    app.get(path, async (_, reply) => {
      // Read once, and the same for all: anyone may ask, as often as they like, and read the answer as slowly.
      kept ??= content()
      return reply.header('cache-control', 'public, max-age=3600').type(type).send(kept)
    })
  }
}
