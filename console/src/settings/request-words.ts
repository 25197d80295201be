/** What is in the request log, in words. */
import { locales } from '../format.ts'

const STATUSES: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad request',
  401: 'Refused',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  429: 'Too many',
  500: 'Server error',
  503: 'Unavailable',
}

export function describeStatus(status: number): string {
  return STATUSES[status] ?? (status < 400 ? 'OK' : status < 500 ? 'Bad request' : 'Server error')
}

export function kindOfStatus(status: number): 'good' | 'wrong' | 'failed' {
  return status < 400 ? 'good' : status < 500 ? 'wrong' : 'failed'
}

/** Why a call was refused, and what to do. The answer itself must not tell. */
export function explainDenial(denial: string): string {
  const [, address] = /^address (.+) not allowed$/.exec(denial) ?? []
  if (address !== undefined) return `It came from ${address}, which is not among your allowed addresses.`
  const [, plan] = /^plan (.+) lacks access$/.exec(denial) ?? []
  if (plan !== undefined) return `Your plan, then ${plan}, does not include this endpoint.`
  if (denial === 'revoked key') return 'The key had been revoked. Give the program a new one.'
  return denial
}

/** The year is this one, or the log would not have it. */
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
