/** The reference page at /docs, from the OpenAPI document. It loads nothing from elsewhere, so it works offline. */
import { listRequests } from '../openapi-document.ts'
import type { DocumentedRequest, OpenApiDocument } from '../openapi-document.ts'
import { fontFaces, fontPreload } from '../../http/fonts.ts'
import { escapeHtml } from '../../pages/page-html.ts'
import { codeBlock, inlineHtml, sectionsOf, textHtml } from './html.ts'
import { operationHtml } from './operation-html.ts'
import { writeSamples } from './samples.ts'
import { objectsHtml } from './schema-html.ts'
import { SYNCING_SAMPLE } from './syncing-sample.ts'

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
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The style sheet at /docs/fonts.css. Paths in it are relative to it. */
export const renderFontStyles = () => fontFaces('../')

/** Links are relative, because a proxy may put the service below a path. */
export function renderReference(parts: ReferenceParts): string {
  const { document, demoKey } = parts
  const { info, tags } = document
  const [introduction, ...sections] = sectionsOf(info.description)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference: ${escapeHtml(info.title)}</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
${fontPreload('')}
<link rel="stylesheet" href="docs/fonts.css">
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
${textHtml(introduction?.markdown ?? '')}
</div>
</section>
${keyHtml(document, demoKey)}
${sections.map(({ title, markdown }) => sectionHtml(title, markdown)).join('\n')}
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

function sectionHtml(title: string, markdown: string): string {
  const id = anchorOf(title)
  const code = SAMPLES[id]
  return `<section id="${id}">
<h2>${escapeHtml(title)}</h2>
<div class="prose">
${textHtml(markdown)}
</div>
${code === undefined ? '' : `<h3>Sample in JavaScript</h3>\n${codeBlock(`Sample: ${title}`, code)}`}
</section>`
}

/** By section. Not in the description itself, which generated clients copy into a comment. */
const SAMPLES: Record<string, string> = { syncing: SYNCING_SAMPLE }

const anchorOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

function requestsOf(document: OpenApiDocument, tag: string): DocumentedRequest[] {
  return listRequests(document).filter(({ operation }) => operation.tags.includes(tag))
}

const groupLink = (title: string) =>
  `<li><a class="group" href="#${anchorOf(title)}">${escapeHtml(title)}</a></li>`

function contentsHtml(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => {
    const links = requestsOf(document, name).map(
      ({ method, operation: { operationId, summary } }) =>
        `<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${escapeHtml(summary)}</a></li>`,
    )
    return `<li><a class="group" href="#${anchorOf(name)}">${escapeHtml(name)}</a><ul>${links.join('')}</ul></li>`
  })
  const [, ...sections] = sectionsOf(document.info.description)
  const titles = ['Introduction', 'Authentication', ...sections.map(({ title }) => title)]
  // The script folds it on a phone.
  return `<nav class="contents" aria-label="Contents">
<details open>
<summary>Contents</summary>
<ul>
${titles.map(groupLink).join('\n')}
${groups.join('\n')}
${groupLink('Objects')}
</ul>
</details>
</nav>`
}

function keyHtml({ servers }: OpenApiDocument, demoKey: string | undefined): string {
  const hint =
    demoKey === undefined
      ? '“Send request” uses this key. It is not stored.'
      : 'The key of the demo world on this server. “Send request” uses it.'
  // A real key is a secret; the demo key is public.
  const type = demoKey === undefined ? 'password' : 'text'
  return `<section id="authentication">
<h2>Authentication</h2>
<div class="prose">
<p>Send your company’s API key in the <code>x-api-key</code> header of every request. Administrators create keys in the console,
under Integrations. The base URL is <code>${escapeHtml(servers[0]?.url ?? '')}</code>.</p>
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
