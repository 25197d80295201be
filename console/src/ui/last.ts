/** For dialogs that still show their content while they fade away. */
import { useState } from 'react'

/** The value, or the last one if it is null now. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
