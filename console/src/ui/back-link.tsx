/** The link above a page's title. It names the page that it leads to. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LeftIcon } from './icons.tsx'

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="app-link app-back">
      <LeftIcon /> {children}
    </Link>
  )
}
