/** Logos: PNG, JPEG or sanitized SVG, stored as data URLs. They are recognized by their content, not by a name or a type. */
import { readRaster } from './raster.ts'
import { SvgError, sanitizeSvg } from './svg.ts'

export const LOGO_MAX_BYTES = 512 * 1024
const PIXELS_MAX = 4096

type LogoType = 'image/png' | 'image/jpeg' | 'image/svg+xml'

export interface Logo {
  type: LogoType
  bytes: Buffer
}

/** In base64, with the padding that encoders write. */
const DATA_URL = /^data:image\/[\w.+-]{1,40};base64,([A-Za-z0-9+/]*={0,2})$/
/** The longest data URL that can be a logo. */
const LOGO_URL_MAX_CHARACTERS = 100 + Math.ceil(LOGO_MAX_BYTES / 3) * 4

const TOO_LARGE = 'The file is too large. Use at most 512 KiB.'

/** The logo, or why it cannot be used. Sanitizing a result again does not change it. */
export function readLogo(url: string): Logo | { problem: string } {
  if (url.length > LOGO_URL_MAX_CHARACTERS) return { problem: TOO_LARGE }
  const [, encoded] = DATA_URL.exec(url) ?? []
  if (encoded === undefined) return { problem: 'Send the image as a data URL in base64.' }
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length > LOGO_MAX_BYTES) return { problem: TOO_LARGE }
  const raster = readRaster(bytes)
  if (raster !== null) {
    const problem = sizeProblem(raster)
    return problem === null ? { type: raster.type, bytes } : { problem }
  }
  return readSvg(bytes)
}

function readSvg(bytes: Buffer): Logo | { problem: string } {
  const source = decodeUtf8(bytes)
  if (source === null || !source.includes('<')) return { problem: 'Use a PNG, JPEG or SVG image.' }
  try {
    const { text, width, height } = sanitizeSvg(source)
    const problem = sizeProblem({ width: width ?? 1, height: height ?? 1 })
    if (problem !== null) return { problem }
    const sanitized = Buffer.from(text)
    return sanitized.length > LOGO_MAX_BYTES
      ? { problem: TOO_LARGE }
      : { type: 'image/svg+xml', bytes: sanitized }
  } catch (error) {
    if (error instanceof SvgError) return { problem: error.message }
    throw error
  }
}

function sizeProblem({ width, height }: { width: number; height: number }): string | null {
  if (width === 0 || height === 0) return 'The image has no pixels.'
  return Math.max(width, height) > PIXELS_MAX
    ? `The image is too large: ${width} × ${height} pixels. Use at most ${PIXELS_MAX} × ${PIXELS_MAX}.`
    : null
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

export function logoUrl({ type, bytes }: Logo): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}

/** A stored logo, which was read by `readLogo` before. */
export function storedLogo(url: string): Logo {
  const comma = url.indexOf(',')
  const type = url.slice('data:'.length, url.indexOf(';')) as LogoType
  return { type, bytes: Buffer.from(url.slice(comma + 1), 'base64') }
}
