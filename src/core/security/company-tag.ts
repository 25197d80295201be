/**
 * The company in a link or cookie, readable for a proxy that chooses the cell by it (docs/cells.md). It proves nothing: the sealed
 * part before it does.
 */
export function companyTag(companyId: string): string {
  return Buffer.from(companyId).toString('base64url')
}

/** Adds the tag. `.` occurs neither in sealed tokens nor in tags. */
export function withCompanyTag(sealed: string, companyId: string): string {
  return `${sealed}.${companyTag(companyId)}`
}

/** The sealed part, and the tag after it; null without one. */
export function splitCompanyTag(text: string): { sealed: string; tag: string | null } {
  const end = text.indexOf('.')
  return end === -1 ? { sealed: text, tag: null } : { sealed: text.slice(0, end), tag: text.slice(end + 1) }
}

interface CompanyTokens<Ref extends { companyId: string }> {
  seal: (ref: Ref) => string
  open: (token: string) => Ref | null
}

/** The same tokens, followed by the company if `isNamed`. Both kinds open with or without the setting. */
export function nameCompany<Ref extends { companyId: string }>(
  tokens: CompanyTokens<Ref>,
  isNamed: boolean,
): CompanyTokens<Ref> {
  if (!isNamed) return tokens
  return { ...tokens, seal: (ref) => withCompanyTag(tokens.seal(ref), ref.companyId) }
}
