/** The answer of a query. Until it is loaded, its skeleton or why it cannot be loaded. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './states.tsx'

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

export function Loaded<Data>({ query: { data, error, refetch }, skeleton, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  return error === null ? skeleton : <ErrorState error={error} onRetry={refetch} />
}
