/** Facts about a record: names and values. */
import type { ReactNode } from 'react'
import { EmailText } from '../quotes/email-text.tsx'

/** Renders nothing without a value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Null for blank text. */
export const text = (value: string | null): string | null =>
  value === null || value.trim() === '' ? null : value

export function emailLink(email: string | null): ReactNode {
  const shown = text(email)
  if (shown === null) return null
  return (
    <a className="app-link" href={`mailto:${encodeURIComponent(shown).replaceAll('%40', '@')}`}>
      <EmailText text={shown} />
    </a>
  )
}

export function phoneLink(phone: string | null): ReactNode {
  const shown = text(phone)
  if (shown === null) return null
  return (
    <a className="app-link" href={`tel:${shown.replaceAll(/[^\d+]/g, '')}`}>
      {shown}
    </a>
  )
}
