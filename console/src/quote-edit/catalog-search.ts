/** Searches a catalog on the server, if it is too long to be loaded as a whole. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RecordListAnswer } from '../../../src/console/records.ts'
import { CHOICES_MAX } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog, CatalogItem } from '../../../src/core/quotes/quote-edit.ts'
import { get } from '../call.ts'

/** Typing takes less than this between two characters. */
const PAUSE_MS = 150

/** Always the same, so that what depends on it is not calculated again. */
const NONE: CatalogItem[] = []

type Items = Pick<Catalog, 'services' | 'addons'>

export interface CatalogSearch extends Items {
  isSearching: boolean
  error: Error | null
}

/** Nothing while no text is typed, and for a catalog that is there completely. */
export function useCatalogSearch(search: string, { services, addons }: Items): CatalogSearch {
  const text = search.trim()
  const [wanted] = useDebouncedValue(text, PAUSE_MS)
  const foundServices = useItems('services', wanted, services.length >= CHOICES_MAX)
  const foundAddons = useItems('addons', wanted, addons.length >= CHOICES_MAX)
  const isPart = services.length >= CHOICES_MAX || addons.length >= CHOICES_MAX
  const isOld = text !== wanted || foundServices.isPlaceholderData || foundAddons.isPlaceholderData
  const isSearching = isPart && text !== '' && (isOld || foundServices.isFetching || foundAddons.isFetching)
  // Enter takes the first match, which must not be one of an earlier search.
  const isShown = text !== '' && !isOld
  return {
    services: isShown ? (foundServices.data ?? NONE) : NONE,
    addons: isShown ? (foundAddons.data ?? NONE) : NONE,
    isSearching,
    error: foundServices.error ?? foundAddons.error,
  }
}

function useItems(path: keyof Items, wanted: string, isPart: boolean) {
  return useQuery({
    queryKey: ['records', path, 'items', wanted],
    queryFn: async () => {
      const query = new URLSearchParams({ sort: 'name', search: wanted })
      const { records } = await get<RecordListAnswer>(`${path}?${query.toString()}`)
      return records.map((record) => ({ ...record, isArchived: false }) as unknown as CatalogItem)
    },
    placeholderData: keepPreviousData,
    enabled: isPart && wanted !== '',
  })
}
