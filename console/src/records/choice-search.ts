/** The choices of a field. If there are more than the page has loaded, typing searches the others on the server. */
import type { OptionsFilter, SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordListAnswer } from '../../../src/console/records.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import { CHOICES_MAX } from '../../../src/core/quotes/quote-choices.ts'
import { get, queryClient } from '../call.ts'
import { viewOf } from './kinds.ts'
import { fetchRecord } from './queries.ts'

/** Typing takes less than this between two characters. */
const PAUSE_MS = 150

/** More would be slow to open. */
const SHOWN_MAX = 200

interface Choice {
  id: string
  name: string
}

interface Options<One> {
  path: RecordPath
  /** Undefined until they are loaded. */
  loaded: readonly One[] | undefined
  /** The chosen ids. A record that is not among the loaded ones is read by its id. */
  value: string | null | readonly string[]
  /** Filters also find archived records. */
  withArchived?: boolean
  /** The text of a choice in the field, if it is not the name. */
  labelOf?: (choice: One) => string
}

type FieldProps = Pick<
  SelectProps,
  | 'description'
  | 'filter'
  | 'inputWrapperOrder'
  | 'limit'
  | 'nothingFoundMessage'
  | 'onSearchChange'
  | 'searchable'
>

export interface ChoiceSearch<One> {
  /** The loaded choices, the chosen one and those that were found. */
  choices: readonly One[]
  /** Of the field, which can be typed into. */
  field: FieldProps
  /** The choices lack those that the server is still searching. */
  isSearching: boolean
  /** It is not known yet whether the chosen one exists. */
  isPending: boolean
}

const NONE: never[] = []

const nameOf = ({ name }: Choice) => name

/** For fields that can have an archived record. */
export const labelWithState = ({ name, isArchived }: Choice & { isArchived: boolean }) =>
  isArchived ? `${name} (archived)` : name

const ORDER: NonNullable<SelectProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error']

const choiceKey = (path: RecordPath, id: string) => ['records', path, 'choice', id]

export const isPart = (loaded: readonly unknown[]) => loaded.length >= CHOICES_MAX

export function useChoiceSearch<One extends Choice>(options: Options<One>): ChoiceSearch<One> {
  const { path, loaded, value, withArchived = false, labelOf = nameOf } = options
  const [typed, setTyped] = useState('')
  const isLong = loaded !== undefined && isPart(loaded)
  const chosen = useMissing(path, value, isLong ? loaded : null)
  const known = withOthers(loaded ?? NONE, chosen.choices as unknown as One[])
  // The field shows the label of the choice, which is no search.
  const isLabel = known.some((one) => one.id === value && labelOf(one) === typed)
  const text = isLabel ? '' : typed.trim()
  const [wanted] = useDebouncedValue(text, PAUSE_MS)
  const current = useFound(path, wanted, 'no', isLong)
  const archived = useFound(path, wanted, 'yes', isLong && withArchived)
  const isOld = text !== wanted || current.isPlaceholderData || archived.isPlaceholderData
  const isSearching = isLong && text !== '' && (isOld || current.isFetching || archived.isFetching)
  const isShown = isLong && text !== '' && !isOld
  const found = isShown ? [...(current.data ?? NONE), ...(archived.data ?? NONE)] : NONE
  const foundIds = new Set(found.map(({ id }) => id))
  const choices = withOthers(known, found as unknown as One[])
  const error = current.error ?? archived.error
  return {
    choices,
    isSearching,
    isPending: chosen.isLoading,
    field: isLong
      ? {
          searchable: true,
          description: `Type to search all ${viewOf(path).plural}.`,
          // Below the input, which stays in line with the fields beside it.
          inputWrapperOrder: ORDER,
          onSearchChange: setTyped,
          filter: filterOf(foundIds),
          limit: SHOWN_MAX,
          nothingFoundMessage: isSearching ? 'Searching…' : (error?.message ?? 'No matches'),
        }
      : { searchable: true },
  }
}

/** By its name, or because the server found it by its words. */
const filterOf =
  (foundIds: ReadonlySet<string>): OptionsFilter =>
  ({ options, search, limit }) => {
    const wanted = search.trim().toLowerCase()
    return options
      .filter(
        (option) =>
          'value' in option && (option.label.toLowerCase().includes(wanted) || foundIds.has(option.value)),
      )
      .slice(0, limit)
  }

/** The known ones, and the others that were found. */
export function withOthers<One extends { id: string }>(
  known: readonly One[],
  found: readonly One[],
): readonly One[] {
  if (found.length === 0) return known
  const ids = new Set(known.map(({ id }) => id))
  return [...known, ...found.filter(({ id }) => !ids.has(id))]
}

function useFound(path: RecordPath, wanted: string, archived: 'yes' | 'no', isLong: boolean) {
  return useQuery({
    queryKey: ['records', path, 'choices', archived, wanted],
    queryFn: async () => {
      const query = new URLSearchParams({ sort: 'name', search: wanted, archived })
      const { records } = await get<RecordListAnswer>(`${path}?${query.toString()}`)
      const choices = records.map(asChoice)
      // One of them can be chosen next.
      for (const choice of choices) queryClient.setQueryData(choiceKey(path, choice.id), choice)
      return choices
    },
    placeholderData: keepPreviousData,
    enabled: isLong && wanted !== '',
  })
}

/** Nothing if `loaded` is null. */
function useMissing(path: RecordPath, value: Options<Choice>['value'], loaded: readonly Choice[] | null) {
  const ids = value === null || loaded === null ? [] : [value].flat()
  const missing = ids.filter((id) => loaded?.every((one) => one.id !== id))
  const results = useQueries({
    queries: missing.map((id) => ({
      queryKey: choiceKey(path, id),
      queryFn: async () => asChoice((await fetchRecord(path, id)).record),
    })),
  })
  return {
    choices: results.flatMap(({ data }) => data ?? []),
    isLoading: results.some(({ isLoading }) => isLoading),
  }
}

const asChoice = <One extends { archivedAt: string | null; id: string }>(record: One) => ({
  ...record,
  isArchived: record.archivedAt !== null,
})
