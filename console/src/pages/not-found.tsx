/** A path of the application at which there is nothing. */
import { NothingState } from '../ui/states.tsx'

export function NotFound() {
  return (
    <NothingState title="There is nothing here">
      The address may be mistyped, or what was here is gone.
    </NothingState>
  )
}
