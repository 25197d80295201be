/**
 * Sanitizes SVG files: parses them as strict XML and writes only the elements and attributes of a list. Nothing in the result
 * runs, loads or refers to anything outside of it, and no reference inside it can multiply the work of drawing it.
 */
import { SaxesParser } from 'saxes'
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes'

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
const ELEMENTS_MAX = 5_000
const DEPTH_MAX = 50

const ELEMENTS: ReadonlySet<string> = new Set(
  `svg g defs title desc path rect circle ellipse line polyline polygon text tspan linearGradient radialGradient stop clipPath
  style`.split(/\s+/),
)

const ATTRIBUTES: ReadonlySet<string> = new Set(
  `id class style d x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height points transform viewBox preserveAspectRatio version
  fill fill-opacity fill-rule clip-path clip-rule color opacity stroke stroke-width stroke-opacity stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset offset stop-color stop-opacity gradientUnits
  gradientTransform spreadMethod clipPathUnits font-family font-size font-weight font-style text-anchor letter-spacing
  word-spacing dominant-baseline textLength lengthAdjust display visibility href role aria-label`.split(
    /\s+/,
  ),
)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/** A reason to refuse the file, for the user. */
export class SvgError extends Error {}

export interface SanitizedSvg {
  text: string
  /** As declared; null without a unit-free or pixel size. */
  width: number | null
  height: number | null
}

/** Throws an SvgError if it is not an SVG file that can be sanitized. */
export function sanitizeSvg(source: string): SanitizedSvg {
  const writer = createWriter()
  const parser = new SaxesParser({
    xmlns: true,
    // XML 1.1 can have control characters, which the result, without a declaration, cannot.
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  })
  parser.on('error', () => {
    throw new SvgError('The SVG file is not well-formed XML.')
  })
  // A document type can define entities that expand without limit.
  parser.on('doctype', () => {
    throw new SvgError('Save the SVG file without a document type (DOCTYPE).')
  })
  parser.on('opentag', writer.open)
  parser.on('closetag', writer.close)
  parser.on('text', writer.text)
  parser.on('cdata', writer.text)
  parser.write(source).close()
  return writer.result()
}

function createWriter() {
  const parts: string[] = []
  /** The names of the open elements that are written. */
  const open: string[] = []
  /** How many open elements are left out, each inside of the one before. */
  let skipped = 0
  let count = 0
  let root: SaxesTagNS | undefined
  /** Checked as a whole, because it can come in pieces. */
  let styleSheet = ''
  return {
    open: (tag: SaxesTagNS) => {
      count += 1
      if (count > ELEMENTS_MAX) throw new SvgError(`The SVG file has more than ${ELEMENTS_MAX} elements.`)
      if (open.length + skipped > DEPTH_MAX) throw new SvgError('The SVG file is nested too deeply.')
      if (root === undefined) {
        if (tag.local !== 'svg' || tag.uri !== SVG_NAMESPACE)
          throw new SvgError('The file is not an SVG image.')
        root = tag
      }
      const isKnown = tag.uri === SVG_NAMESPACE && ELEMENTS.has(tag.local) && open.at(-1) !== 'style'
      if (skipped > 0 || !isKnown) {
        skipped += 1
        return
      }
      const isClip = tag.local === 'clipPath' || open.includes('clipPath')
      const namespace = open.length === 0 ? ` xmlns="${SVG_NAMESPACE}"` : ''
      parts.push(`<${tag.local}${namespace}${attributesOf(tag, isClip)}>`)
      open.push(tag.local)
    },
    close: () => {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      const name = open.pop() ?? ''
      if (name === 'style' && isSafeStyle(styleSheet)) parts.push(escapeXml(styleSheet))
      styleSheet = ''
      parts.push(`</${name}>`)
    },
    text: (text: string) => {
      if (skipped > 0 || open.length === 0) return
      if (open.at(-1) === 'style') styleSheet += text
      else parts.push(escapeXml(text))
    },
    result: (): SanitizedSvg => {
      const { width, height } = root?.attributes ?? {}
      return { text: parts.join(''), width: lengthOf(width?.value), height: lengthOf(height?.value) }
    },
  }
}

function attributesOf({ attributes }: SaxesTagNS, isClip: boolean): string {
  // xlink:href is the older name of href, which is written instead.
  const isNamed = ({ prefix, local }: SaxesAttributeNS) =>
    prefix === '' || (prefix === 'xlink' && local === 'href' && attributes['href'] === undefined)
  return Object.values(attributes)
    .filter((attribute) => isNamed(attribute) && isSafe(attribute, isClip))
    .map(({ local, value }) => ` ${local}="${escapeXml(value)}"`)
    .join('')
}

function isSafe({ local: name, value }: SaxesAttributeNS, isClip: boolean): boolean {
  if (!ATTRIBUTES.has(name)) return false
  if (name === 'href') return /^#[\w.-]+$/.test(value)
  if (name === 'style') return isSafeStyle(value)
  return !(isClip && name === 'clip-path') && refersInside(value)
}

/** No rule such as @import, no property that loads an image, and none that could clip the content of a clip path. */
function isSafeStyle(css: string): boolean {
  return !/[@<]|clip|mask|filter|marker|image|src|content|cursor/i.test(css) && refersInside(css)
}

/** Escapes could hide a reference. */
function refersInside(value: string): boolean {
  const others = value.replaceAll(/url\(\s*(["']?)#[\w.-]+\1\s*\)/g, '')
  return !others.includes('\\') && !/url\s*\(/i.test(others)
}

function lengthOf(text: string | undefined): number | null {
  const [, figure] = /^(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(?:px)?$/.exec(text?.trim() ?? '') ?? []
  return figure === undefined ? null : Number(figure)
}
