/** The lists of the catalog, and those of the team. */
import { Link, useLocation } from 'react-router'
import { RECORD_PAGES } from '../../../src/core/record-kinds.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import '../settings/settings.css'
import { viewOf } from './kinds.ts'

const AREAS: { label: string; paths: RecordPath[] }[] = [
  {
    label: 'Catalog',
    paths: [
      'services',
      'addons',
      'packages',
      'discounts',
      'service-charges',
      'tax-rates',
      'payment-terms',
      'contracts',
      'event-types',
    ],
  },
  { label: 'Team', paths: ['staff', 'equipment', 'locations'] },
]

export function AreaTabs() {
  const { pathname } = useLocation()
  const area = AREAS.find(({ paths }) => paths.some((path) => RECORD_PAGES[path] === pathname))
  if (area === undefined) return null
  return (
    <nav className="settings-tabs record-tabs" aria-label={area.label}>
      {area.paths.map((path) => (
        <Link
          key={path}
          to={RECORD_PAGES[path]}
          aria-current={RECORD_PAGES[path] === pathname ? 'page' : undefined}
        >
          {viewOf(path).title}
        </Link>
      ))}
    </nav>
  )
}
