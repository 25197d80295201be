/** Changes and audit entries, newest first. */
import type { Activity } from '../../../src/core/change-log/activity.ts'
import { formatDateTime, formatRelativeLabel } from '../format.ts'
import './activity.css'
import { SubjectLink } from './subject-link.tsx'
import { titleOf } from './titles.ts'
import { describeDetails, describeMembers, personOf, subjectNameOf } from './words.ts'

interface ActivityListProps {
  entries: readonly Activity[]
  /** On a page of many records, each entry says which one it is about. */
  withSubject?: boolean
}

export function ActivityList({ entries, withSubject = false }: ActivityListProps) {
  return (
    <ol className="activity">
      {entries.map((entry) => (
        <li key={entry.id}>
          <div className="activity-title">
            {titleOf(entry)}
            {withSubject ? <Subject entry={entry} /> : null}
          </div>
          <div className="activity-by">
            {personOf(entry)} ·{' '}
            <time dateTime={entry.at} title={formatRelativeLabel(entry.at)}>
              {formatDateTime(entry.at)}
            </time>
          </div>
          <Details entry={entry} />
        </li>
      ))}
    </ol>
  )
}

function Subject({ entry }: { entry: Activity }) {
  const name = subjectNameOf(entry)
  if (name === null) return null
  return (
    <span className="activity-subject">
      <SubjectLink subject={entry.subject} name={name} />
    </span>
  )
}

function Details({ entry }: { entry: Activity }) {
  const members = describeMembers(entry)
  const details = describeDetails(entry)
  if (members.length === 0 && details.length === 0) return null
  return (
    <ul className="activity-details">
      {members.map(({ name, values }) => (
        <li key={name}>
          {values === null ? (
            `${name} changed`
          ) : (
            <>
              {name} <span className="app-figure activity-old">{values.before}</span>
              <span aria-label="to"> → </span>
              <span className="app-figure">{values.after}</span>
            </>
          )}
        </li>
      ))}
      {details.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
