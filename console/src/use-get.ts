/** Reads an answer of the service and keeps it current. */
import { useQuery } from '@tanstack/react-query'
import type { UseQueryOptions } from '@tanstack/react-query'
import { get } from './call.ts'

/** `path` is below /console. */
export function useGet<Answer>(
  queryKey: readonly unknown[],
  path: string,
  options: Omit<UseQueryOptions<Answer>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery({ queryKey, queryFn: () => get<Answer>(path), ...options })
}
