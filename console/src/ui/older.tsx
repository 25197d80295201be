/** Says that a list without a next page is cut. */
import { Note } from './note.ts'

export function Older({ what, count }: { what: string; count: number }) {
  return (
    <Note>
      These are the {count} newest {what}.
    </Note>
  )
}
