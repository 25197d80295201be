/** How the request log names statuses, paths, denials, times and durations. */
import { locales } from '../format.ts'

/** The standard names (RFC 9110), for every status that the API sends, and those of proxies and webhook receivers. */
const STATUS_NAMES: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  301: 'Moved permanently',
  302: 'Found',
  304: 'Not modified',
  307: 'Temporary redirect',
  308: 'Permanent redirect',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content too large',
  414: 'URI too long',
  415: 'Unsupported media type',
  417: 'Expectation failed',
  422: 'Unprocessable content',
  429: 'Too many requests',
  431: 'Header fields too large',
  500: 'Internal server error',
  501: 'Not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
}

/** Empty for a status without a name here: the number says more than a guess. */
export function nameOfStatus(status: number): string {
  return STATUS_NAMES[status] ?? ''
}

export function kindOfStatus(status: number): 'good' | 'wrong' | 'failed' {
  return status < 400 ? 'good' : status < 500 ? 'wrong' : 'failed'
}

/**
 * Percent-decoded if valid. Control and formatting characters stay encoded, since they could hide or reorder text.
 */
export function decodePath(path: string): string {
  return path.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, encodeURIComponent)
    } catch {
      return encoded
    }
  })
}

/** Why a key was refused. The response itself must not say; the key's owner may know. */
export function explainDenial(denial: string): string {
  const [, address] = /^address (.+) not allowed$/.exec(denial) ?? []
  if (address !== undefined) return `Sent from ${address}, which is not an allowed IP address.`
  const [, plan] = /^plan (.+) lacks access$/.exec(denial) ?? []
  if (plan !== undefined) return `Your plan at the time, ${plan}, does not include this endpoint.`
  if (denial === 'revoked key') return 'This API key was revoked. Use a new one.'
  return denial
}

/** Without the year: the log covers a few days. */
export function formatInstant(iso: string): string {
  const format = {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  } as const
  return new Intl.DateTimeFormat(locales, format).format(new Date(iso))
}

export function formatDuration(microseconds: number): string {
  const ms = microseconds / 1000
  return ms < 1000 ? formatUnit(ms, 'millisecond') : formatUnit(ms / 1000, 'second')
}

function formatUnit(value: number, unit: string): string {
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(locales, { style: 'unit', unit, maximumFractionDigits }).format(value)
}
