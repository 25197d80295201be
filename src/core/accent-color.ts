/** The color of a company on the pages that its customers see. White text is written on it, and it is written on white. */

/** WCAG 2.2, level AA, for text of normal size. */
const CONTRAST_MIN = 4.5

const DEFAULT_ACCENT = '#0b6e69'

/** The background of customer pages in dark mode. */
export const DARK_PAPER = '#1b232b'

const COLOR = /^#[0-9a-f]{6}$/i

/** In lower case; null if it is not a color such as #1f6f5c. */
export function parseColor(text: string): string | null {
  return COLOR.test(text) ? text.toLowerCase() : null
}

/** Of a valid color against white: 1 for white itself, 21 for black. */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  const luminance = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
  return 1.05 / (luminance + 0.05)
}

/** The company's color as readable text on a light and on a dark page. A color without enough contrast is shifted until it has. */
export function readableAccent(color: string | null): { onLight: string; onDark: string } {
  const base = parseColor(color ?? '') ?? DEFAULT_ACCENT
  return {
    onLight: shiftUntil(base, 0, (shifted) => contrastWithWhite(shifted) >= CONTRAST_MIN),
    onDark: shiftUntil(base, 255, isReadableOnDark),
  }
}

function isReadableOnDark(color: string): boolean {
  return contrastWithWhite(DARK_PAPER) / contrastWithWhite(color) >= CONTRAST_MIN
}

/** Mixes a color with black (0) or white (255) in small steps. */
function shiftUntil(color: string, target: number, isReadable: (color: string) => boolean): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = channels.map((channel) => Math.round(channel + (target - channel) * part))
    const shifted = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
    if (isReadable(shifted)) return shifted
  }
  return target === 0 ? '#000000' : '#ffffff'
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

/** Why customers could not read text in this color; null if they can. */
export function colorProblem(text: string): string | null {
  const color = parseColor(text)
  if (color === null) return 'Enter a color such as #1f6f5c.'
  const contrast = contrastWithWhite(color)
  if (contrast >= CONTRAST_MIN) return null
  // Rounded down, so that 4.49 is not shown as the 4.5 that is needed.
  const shown = Math.floor(contrast * 10) / 10
  return `This color is too light to read on white: its contrast is ${shown} to 1. Choose one with at least ${CONTRAST_MIN} to 1.`
}
