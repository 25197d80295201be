/** Reads and writes records of any kind. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { RecordAnswer, RecordListAnswer } from '../../../src/console/records.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import { get, queryClient } from '../call.ts'
import { useGet } from '../use-get.ts'

export function useRecords(path: RecordPath, query: string) {
  return useGet<RecordListAnswer>(['records', path, 'list', query], `${path}?${query}`, {
    placeholderData: keepPreviousData,
  })
}

export const fetchRecord = (path: RecordPath, id: string) =>
  get<RecordAnswer>(`${path}/${encodeURIComponent(id)}`)

/** Reads nothing without an id. */
export function useRecord(path: RecordPath, id: string | null) {
  return useQuery({
    queryKey: ['records', path, 'record', id],
    queryFn: id === null ? skipToken : () => fetchRecord(path, id),
  })
}

/** After every change. Quotes and lists to choose from show names of records, too. */
export const refreshRecords = () =>
  Promise.all(
    ['records', 'contacts', 'lookups', 'quotes', 'timeline'].map((key) =>
      queryClient.invalidateQueries({ queryKey: [key] }),
    ),
  )
