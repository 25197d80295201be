/** The reference page at /docs, from the OpenAPI document. It loads nothing from elsewhere, so it works offline. */
import { listRequests } from '../openapi-document.ts'
import type { DocumentedRequest, OpenApiDocument } from '../openapi-document.ts'
import { escapeHtml } from '../../pages/page-html.ts'
import { inlineHtml, textHtml } from './html.ts'
import { operationHtml } from './operation-html.ts'
import { writeSamples } from './samples.ts'
import { objectsHtml } from './schema-html.ts'

export interface ReferenceParts {
  document: OpenApiDocument
  /** By operation: the query that leads to the response shown. */
  queries: ReadonlyMap<string, string>
  /** Filled in for visitors. Absent, unless this server serves the demo. */
  demoKey: string | undefined
}

export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Links are relative, because a proxy may put the service below a path. */
export function renderReference(parts: ReferenceParts): string {
  const { document, demoKey } = parts
  const { info, tags } = document
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference: ${escapeHtml(info.title)}</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/docs-colors.css">
<link rel="stylesheet" href="assets/docs.css">
<link rel="stylesheet" href="assets/docs-operations.css">
<link rel="stylesheet" href="assets/docs-forms.css">
<script src="assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="docs"><img src="docs/icon.svg" alt="" width="28" height="28"> ${escapeHtml(info.title)}</a>
<nav aria-label="Downloads"><a href="api/openapi.json">OpenAPI document</a> <a href="docs/postman.json" download>Postman collection</a></nav>
</header>
<div class="layout">
${contentsHtml(document)}
<main id="content" tabindex="-1">
<section id="introduction">
<h1>API reference <span class="note">version ${escapeHtml(info.version)}</span></h1>
<div class="prose">
${textHtml(info.description)}
</div>
</section>
${keyHtml(document, demoKey)}
${tags.map((tag) => tagHtml(tag, parts)).join('\n')}
<section id="objects">
<h2>Objects</h2>
${objectsHtml(document)}
</section>
</main>
</div>
</body>
</html>
`
}

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

function requestsOf(document: OpenApiDocument, tag: string): DocumentedRequest[] {
  return listRequests(document).filter(({ operation }) => operation.tags.includes(tag))
}

function contentsHtml(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => {
    const links = requestsOf(document, name).map(
      ({ method, operation: { operationId, summary } }) =>
        `<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${escapeHtml(summary)}</a></li>`,
    )
    return `<li><a class="group" href="#${anchorOf(name)}">${escapeHtml(name)}</a><ul>${links.join('')}</ul></li>`
  })
  return `<nav class="contents" aria-label="Contents">
<ul>
<li><a class="group" href="#introduction">Introduction</a></li>
<li><a class="group" href="#authentication">Authentication</a></li>
${groups.join('\n')}
<li><a class="group" href="#objects">Objects</a></li>
</ul>
</nav>`
}

function keyHtml({ servers }: OpenApiDocument, demoKey: string | undefined): string {
  const hint =
    demoKey === undefined
      ? 'Stays in this page. “Send request” uses it.'
      : 'This server serves the demo world, and this is its key. “Send request” uses it.'
  // A real key is a secret; the demo key is public.
  const type = demoKey === undefined ? 'password' : 'text'
  return `<section id="authentication">
<h2>Authentication</h2>
<div class="prose">
<p>Send your company’s API key in the <code>x-api-key</code> header of every request. Administrators create keys in the application,
under Settings. The base URL is <code>${escapeHtml(servers[0]?.url ?? '')}</code>.</p>
</div>
<div class="key">
<label for="api-key">API key</label>
<input id="api-key" type="${type}" value="${escapeHtml(demoKey ?? '')}" aria-describedby="api-key-hint" autocomplete="off" autocapitalize="off" spellcheck="false">
<p class="hint" id="api-key-hint">${hint}</p>
</div>
</section>`
}

function tagHtml({ name, description }: OpenApiDocument['tags'][number], parts: ReferenceParts): string {
  const operations = requestsOf(parts.document, name).map((request) =>
    operationHtml(request, samplesOf(request, parts)),
  )
  return `<section id="${anchorOf(name)}">
<h2>${escapeHtml(name)}</h2>
<p>${inlineHtml(description)}</p>
${operations.join('\n')}
</section>`
}

function samplesOf({ method, path, operation }: DocumentedRequest, parts: ReferenceParts) {
  const { document, queries, demoKey } = parts
  const ids = new Map(operation.parameters.map(({ name, example }) => [name, example]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids.get(name)))
  const query = queries.get(operation.operationId)
  const body = operation.requestBody?.content['application/json'].example
  return writeSamples({
    method,
    url: `${document.servers[0]?.url}${filled}${query === undefined ? '' : `?${query}`}`,
    apiKey: demoKey ?? 'YOUR_API_KEY',
    ...(body !== undefined && { body }),
  })
}
