/** The page for a person who opens a URL that does not exist. Programs get the JSON error. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { prefersHtml } from '../core/requests/accept.ts'
import { basePath, fontFaces } from '../http/fonts.ts'
import { escapeHtml, pageOf, pagePolicy } from './page-html.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6874; --line: #dde3ea; --accent: #0b6e69; --ground: #f5f7f9; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe5eb; --soft: #9daab6; --line: #303b46; --accent: #74c3bb; --ground: #12181e; --paper: #1b232b; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 Inter, "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 28rem; padding: 2.5rem; text-align: center; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
img { display: block; margin: 0 auto .75rem; }
.name { margin: 0; color: var(--soft); font-weight: 600; }
h1 { margin: .25rem 0 .5rem; font-size: 1.5rem; line-height: 1.2; }
p { margin: 0; color: var(--soft); text-wrap: balance; }
nav { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem 1.5rem; margin-top: 1.5rem; }
a { color: var(--accent); font-weight: 600; }
`

export interface NotFoundPage {
  /** Whether a page could be sent at all; then the response depends on `accept`. */
  isPossible: (request: FastifyRequest) => boolean
  isWanted: (request: FastifyRequest) => boolean
  send: (reply: FastifyReply) => FastifyReply
}

/** Not below /api, where everything is JSON, and not for a program that forgot /api. */
function isPossible({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !/^\/api(?:[/?]|$)/.test(url) && headers['x-api-key'] === undefined
}

export function createNotFoundPage(publicUrl: () => string): NotFoundPage {
  let known: { html: string; policy: string } | undefined
  // The public URL is not known before the process listens.
  const page = () => (known ??= render(publicUrl()))
  return {
    isPossible,
    isWanted: (request) => isPossible(request) && prefersHtml(request.headers.accept),
    send: (reply) =>
      reply
        .code(404)
        .headers({ 'content-security-policy': page().policy, 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(page().html),
  }
}

function render(publicUrl: string): { html: string; policy: string } {
  // Absolute: the unknown URL can have any depth, and a proxy may add a path.
  const base = escapeHtml(basePath(publicUrl))
  const style = `${fontFaces(basePath(publicUrl))}\n${STYLE}`
  const title = 'Page not found'
  const icon = `${base}docs/icon.svg`
  const body = `<main>
<img src="${icon}" alt="" width="40" height="40">
<p class="name">Event Quoting Service</p>
<h1>${title}</h1>
<p>The address may be mistyped, or the page no longer exists.</p>
<nav aria-label="Other pages"><a href="${base}">Open the console</a><a href="${base}docs">API reference</a></nav>
</main>`
  const html = pageOf({ locale: 'en', title: `${title} · Event Quoting Service`, body, style, icon })
  return { html, policy: pagePolicy(style, { hasImages: true }) }
}
