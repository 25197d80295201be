/**
 * Links from before LINKS_NAME_COMPANY do not name their company, so the proxy sends them to any cell. It leads to the same link with
 * the company.
 */
import type { FastifyInstance } from 'fastify'
import { withCompanyTag } from '../core/security/company-tag.ts'

interface Opener {
  open: (token: string) => { companyId: string } | null
}

interface RedirectParts {
  publicUrl: () => string
  tokens: Opener
  quoteTokens: Opener
  formTokens: Opener
}

/** Without a tag: `.` ends the match. */
const LINK = /^\/(i|q|f\/b)\/([\w-]+)(?=[/?]|$)(.*)$/s

export function redirectToCompany(app: FastifyInstance, parts: RedirectParts): void {
  const openers: Record<string, Opener> = { i: parts.tokens, q: parts.quoteTokens, 'f/b': parts.formTokens }
  app.addHook('onRequest', (request, reply, done) => {
    const [, kind = '', token = '', rest = ''] = LINK.exec(request.url) ?? []
    const ref = openers[kind]?.open(token) ?? null
    if (ref === null) {
      done()
      return
    }
    // 308 keeps method and body.
    const link = withCompanyTag(token, ref.companyId)
    void reply.redirect(`${parts.publicUrl()}/${kind}/${link}${rest}`, 308)
  })
}
