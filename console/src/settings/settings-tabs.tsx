/** The pages of the integrations. */
import { Link, useLocation } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import './settings.css'

const TABS = [
  { to: CONSOLE_PAGES.settings, label: 'API keys and access' },
  { to: CONSOLE_PAGES.webhooks, label: 'Webhooks' },
  { to: CONSOLE_PAGES.mail, label: 'Email' },
  { to: CONSOLE_PAGES.requestLog, label: 'Request log' },
]

export function SettingsTabs() {
  const { pathname } = useLocation()
  return (
    <nav className="settings-tabs" aria-label="Integrations">
      {TABS.map(({ to, label }) => (
        <Link key={to} to={to} aria-current={pathname === to ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
