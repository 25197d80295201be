/** The font of the pages, Inter, served by this process: no page loads anything from another host. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const PACKAGE = dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json'))

/** By subset, the characters it has. A browser loads only the subsets that a page uses. */
const SUBSETS = JSON.parse(readFileSync(join(PACKAGE, 'unicode.json'), 'utf8')) as Record<string, string>

interface Font {
  subset: string
  characters: string
  /** Changes with the content, so that browsers can cache the file forever. */
  name: string
  content: Buffer
}

const FONTS = Object.entries(SUBSETS).map(([subset, characters]): Font => {
  const content = readFileSync(join(PACKAGE, `files/inter-${subset}-wght-normal.woff2`))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { subset, characters, name: `inter-${subset}-${hash}.woff2`, content }
})

const FONTS_BY_NAME = new Map(FONTS.map((font) => [font.name, font]))

/** Arial with the proportions of Inter: the text does not move when Inter arrives. */
const FALLBACK = `@font-face { font-family: "Inter Fallback"; src: local("Arial"), local("Liberation Sans");
  ascent-override: 90.49%; descent-override: 22.56%; line-gap-override: 0%; size-adjust: 107.06%; }`

/** The declarations for a style sheet. `base` is the path of the service, with a trailing slash. */
export function fontFaces(base: string): string {
  const faces = FONTS.map(
    ({ name, characters }) =>
      `@font-face { font-family: Inter; font-style: normal; font-weight: 100 900; font-display: swap;
  src: url(${base}fonts/${name}) format("woff2"); unicode-range: ${characters}; }`,
  )
  return [...faces, FALLBACK].join('\n')
}

/** Loads the Latin subset with the page, not after its styles: nearly every page needs it. */
export function fontPreload(base: string): string {
  const latin = FONTS.find(({ subset }) => subset === 'latin')
  return `<link rel="preload" href="${base}fonts/${latin?.name}" as="font" type="font/woff2" crossorigin>`
}

/** The path of the service on its host, with a slash at its end. */
export function basePath(publicUrl: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/$/, '')}/`
}

/** `answerNothing` answers a request for a file that does not exist. */
export function registerFonts(
  app: FastifyInstance,
  answerNothing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.get('/fonts/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    const font = FONTS_BY_NAME.get(name)
    if (font === undefined) return answerNothing(request, reply)
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('font/woff2')
      .send(font.content)
  })
}
