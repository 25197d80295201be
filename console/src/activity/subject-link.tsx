/** The name of a record, as a link if it has a page. */
import { Link } from 'react-router'

const PAGES: Record<string, string> = { quote: '/quotes', event: '/events' }

interface SubjectLinkProps {
  subject: { object: string; id: string }
  name: string
}

export function SubjectLink({ subject: { object, id }, name }: SubjectLinkProps) {
  const page = PAGES[object]
  return page === undefined ? (
    name
  ) : (
    <Link className="app-link" to={`${page}/${encodeURIComponent(id)}`}>
      {name}
    </Link>
  )
}
