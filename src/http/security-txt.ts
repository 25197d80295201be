/** `/.well-known/security.txt` (RFC 9116): where to report a vulnerability of this deployment. */
import type { FastifyInstance, FastifyReply } from 'fastify'

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180
const POLICY_PATH = '/security-policy'

interface SecurityTxtParts {
  publicUrl: () => string
  /** A `mailto:` or `https:` URL; absent: the policy says how to find the operator. */
  securityContact?: string | undefined
}

export function registerSecurityTxt(app: FastifyInstance, parts: SecurityTxtParts): void {
  const { publicUrl, securityContact } = parts
  app.get('/.well-known/security.txt', (_request, reply) => {
    const policyUrl = publicUrl() + POLICY_PATH
    return sendText(reply, [
      `Contact: ${securityContact ?? policyUrl}`,
      `Expires: ${expiryDate(Date.now())}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl()}/.well-known/security.txt`,
      `Policy: ${policyUrl}`,
    ])
  })
  app.get(POLICY_PATH, (_request, reply) => sendText(reply, policyLines(securityContact)))
}

/** The start of a day, so that the file changes once a day. */
function expiryDate(nowMs: number): string {
  const day = Math.floor(nowMs / DAY_MS) + VALID_DAYS
  return new Date(day * DAY_MS).toISOString()
}

function policyLines(contact: string | undefined): string[] {
  const where =
    contact === undefined
      ? [
          'The operator of this service has not published a security contact.',
          'Ask the company that gave you the link or the API key where to send a report.',
        ]
      : [
          `Send reports to ${contact.replace(/^mailto:/, '')}. Do not publish them before the problem is fixed.`,
        ]
  return [
    'Reporting a vulnerability',
    '',
    ...where,
    '',
    'Describe what you did and what came back, with the x-request-id of the response.',
    'A request that shows the problem helps most.',
    'Do not read or change the data of others, and do not slow the service down for them.',
  ]
}

function sendText(reply: FastifyReply, lines: readonly string[]): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=3600')
    .type('text/plain; charset=utf-8')
    .send(`${lines.join('\n')}\n`)
}
