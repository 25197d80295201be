/** The name of a record, as a link if it has a page. */
import { Link } from 'react-router'
import { RECORD_PAGES } from '../../../src/core/record-kinds.ts'
import { recordPathOf } from './record-paths.ts'

const PAGES: Record<string, string> = {
  quote: '/quotes',
  event: '/events',
}

interface SubjectLinkProps {
  subject: { object: string; id: string }
  name: string
}

export function SubjectLink({ subject: { object, id }, name }: SubjectLinkProps) {
  const path = recordPathOf(object)
  const page = path === undefined ? PAGES[object] : RECORD_PAGES[path]
  return page === undefined ? (
    name
  ) : (
    <Link className="app-link" to={`${page}/${encodeURIComponent(id)}`}>
      {name}
    </Link>
  )
}
