/** Whether customers can open a form. */
import { Status } from '../ui/status.tsx'

export function FormStatus({ isPublished, isArchived }: { isPublished: boolean; isArchived: boolean }) {
  const [tone, word] = isArchived
    ? (['gray', 'Archived'] as const)
    : isPublished
      ? (['green', 'Published'] as const)
      : (['amber', 'Not published'] as const)
  return (
    <Status tone={tone} className="form-status">
      {word}
    </Status>
  )
}
