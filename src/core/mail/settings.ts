/** The settings of the operator: SMTP_URL and MAIL_FROM. */
import { isEmailAddress } from '../security/email.ts'
import { oneLine } from './header-text.ts'

export interface SmtpServer {
  host: string
  port: number
  /**
   * `implicit`: from the first byte (smtps). `required`: STARTTLS, or nothing is sent. `offered`: STARTTLS if the server offers it.
   * `none`: never.
   */
  tls: 'implicit' | 'required' | 'offered' | 'none'
  /** Null: no authentication. */
  login: { user: string; password: string } | null
}

export interface MailFrom {
  /** Null: the name of the company. */
  name: string | null
  address: string
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 }
const TLS_CHOICES = ['required', 'offered', 'none'] as const

/** Null if it is wrong. With a password, STARTTLS is required unless the URL says otherwise. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  if (!/^smtps?:\/\/[^\s/?#]+\/?(\?[^\s#]*)?$/.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const { protocol, hostname, port, searchParams } = url
  const user = decode(url.username)
  const password = decode(url.password)
  if (
    hostname === '' ||
    port === '0' ||
    user === null ||
    password === null ||
    (user === '') !== (password === '')
  )
    return null
  const tls = tlsOf(protocol === 'smtps:', user !== '', searchParams)
  if (tls === null) return null
  return {
    host: hostname.replace(/^\[(.+)\]$/, '$1'),
    port: port === '' ? PORTS[protocol as keyof typeof PORTS] : Number(port),
    tls,
    login: user === '' ? null : { user, password },
  }
}

function tlsOf(
  isImplicit: boolean,
  hasLogin: boolean,
  parameters: URLSearchParams,
): SmtpServer['tls'] | null {
  const [first, ...more] = parameters
  if (first === undefined) return isImplicit ? 'implicit' : hasLogin ? 'required' : 'offered'
  const chosen = TLS_CHOICES.find((choice) => choice === first[1])
  return more.length > 0 || first[0] !== 'tls' || chosen === undefined || isImplicit ? null : chosen
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** `address` or `Name <address>`. Null if it is wrong. */
export function parseMailFrom(text: string): MailFrom | null {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? []
  const address = inBrackets ?? text
  const shown = name.trim().replace(/^"([^"]*)"$/, '$1')
  // ASCII only: the sender has to work with every mail server.
  if (!isEmailAddress(address) || !/^[\x21-\x7e]+$/.test(address) || /[<>",;:()\\]/.test(address)) return null
  if (oneLine(shown) !== shown || shown.includes('"')) return null
  return { name: shown === '' ? null : shown, address }
}
