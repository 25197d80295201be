/** Shown for unknown paths. */
import { NothingState } from '../ui/states.tsx'

export function NotFound() {
  return <NothingState title="Page not found">Check the address, or go to the dashboard.</NothingState>
}
