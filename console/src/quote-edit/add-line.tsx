/** Adds lines by typing: services, add-ons and packages. Enter adds the first match, and the field stays focused. */
import { Button, Select } from '@mantine/core'
import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { CHOICES_MAX } from '../../../src/core/quotes/quote-choices.ts'
import type { PackageChoice } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog, CatalogItem } from '../../../src/core/quotes/quote-edit.ts'
import { formatMoney, formatNumber } from '../format.ts'
import { isPart, withOthers } from '../records/choice-search.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { useCatalogSearch } from './catalog-search.ts'
import type { CatalogSearch } from './catalog-search.ts'
import type { ItemChoice } from './draft-lines.ts'

const UNIT_WORDS = { EACH: '', HOUR: ' per hour', GUEST: ' per guest', DAY: ' per day' }

interface AddLineProps {
  /** The day, or the whole event. */
  place: string
  catalog: Catalog
  packages: readonly PackageChoice[]
  currency: string
  onAddItem: (choice: ItemChoice) => void
  onAddPackage: (chosen: PackageChoice) => void
  onAddCustom: () => void
}

export function AddLine(props: AddLineProps) {
  const { place, catalog, packages, currency, onAddItem, onAddPackage, onAddCustom } = props
  const [search, setSearch] = useState('')
  const found = useCatalogSearch(search, catalog)
  const services = useWith(catalog.services, found.services)
  const addons = useWith(catalog.addons, found.addons)
  const data = useMemo(() => {
    const options = (items: readonly CatalogItem[], prefix: string) =>
      items
        .filter(({ isArchived }) => !isArchived)
        .map((item) => ({ value: prefix + item.id, label: item.name, price: priceOf(item, currency) }))
        .toSorted((a, b) => a.label.localeCompare(b.label))
    return [
      { group: 'Services', items: options(services, 's:') },
      { group: 'Add-ons', items: options(addons, 'a:') },
      {
        group: 'Packages',
        items: packages.map(({ id, name, lines }) => ({
          value: `p:${id}`,
          label: name,
          price: lines.length === 1 ? '1 line' : `${lines.length} lines`,
        })),
      },
    ].filter(({ items }) => items.length > 0)
  }, [services, addons, packages, currency])
  const prices = useMemo(
    () => new Map(data.flatMap(({ items }) => items.map(({ value, price }) => [value, price]))),
    [data],
  )
  const add = (value: string | null) => {
    if (value === null) return
    setSearch('')
    const id = value.slice(2)
    const bundle = value.startsWith('p:') ? packages.find((one) => one.id === id) : undefined
    if (bundle !== undefined) onAddPackage(bundle)
    const isService = value.startsWith('s:')
    const item = (isService ? services : addons).find((one) => one.id === id)
    if (bundle === undefined && item !== undefined) onAddItem({ kind: isService ? 'SERVICE' : 'ADDON', item })
  }
  /** By its name, or because the server found it by its words. */
  const foundValues = new Set([
    ...found.services.map(({ id }) => `s:${id}`),
    ...found.addons.map(({ id }) => `a:${id}`),
  ])
  const matches = ({ value, label }: ComboboxItem, wanted: string) =>
    label.toLowerCase().includes(wanted) || foundValues.has(value)
  const filter: OptionsFilter = ({ options, search: typed, limit }) => {
    const wanted = typed.trim().toLowerCase()
    return options.map((option) =>
      'group' in option
        ? { ...option, items: option.items.filter((item) => matches(item, wanted)).slice(0, limit) }
        : option,
    )
  }
  /** Enter can come before the list highlights its first match, or while the list still counts the options it had before. */
  const addOnEnter = (event: KeyboardEvent) => {
    const wanted = search.trim().toLowerCase()
    const highlighted = highlightedOption(event)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (wanted === '' && highlighted === null) return
    event.preventDefault()
    event.stopPropagation()
    if (highlighted !== null) return highlighted.click()
    const options = data.flatMap(({ items }) => items)
    add(options.find((option) => matches(option, wanted))?.value ?? null)
  }
  return (
    <div className="edit-add" onKeyDownCapture={addOnEnter}>
      <Select
        aria-label={`Add a service, add-on or package to ${place}`}
        placeholder="Add a service, add-on or package"
        leftSection={<PlusIcon />}
        data={data}
        value={null}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        selectFirstOptionOnChange
        filter={filter}
        nothingFoundMessage={nothingFoundMessage(data.length === 0, packages, found)}
        maxDropdownHeight={320}
        limit={200}
        openOnFocus={false}
        onChange={add}
        classNames={{ option: 'edit-choice' }}
        renderOption={({ option }) => (
          <>
            <span>{option.label}</span>
            <span className="edit-choice-price">{prices.get(option.value)}</span>
          </>
        )}
      />
      <Button
        variant="default"
        leftSection={<PlusIcon />}
        aria-label={`Add a custom line to ${place}`}
        onClick={onAddCustom}
      >
        Custom line
      </Button>
    </div>
  )
}

function nothingFoundMessage(
  isEmpty: boolean,
  packages: readonly PackageChoice[],
  { isSearching, error }: CatalogSearch,
): string {
  if (isEmpty) return 'The catalog is empty'
  if (isSearching) return 'Searching…'
  if (error !== null) return error.message
  return isPart(packages)
    ? `No matches. Only the first ${formatNumber(CHOICES_MAX)} packages can be found here: archive those that are no longer used.`
    : 'No matches'
}

/** The loaded items and those that a search found. */
function useWith(loaded: readonly CatalogItem[], found: readonly CatalogItem[]): readonly CatalogItem[] {
  return useMemo(() => withOthers(loaded, found), [loaded, found])
}

/** The option of the open list that Enter chooses. */
function highlightedOption({ target }: KeyboardEvent): HTMLElement | null {
  const list = (target as Element).getAttribute('aria-controls')
  return list === null
    ? null
    : (document.getElementById(list)?.querySelector<HTMLElement>('[data-combobox-selected]') ?? null)
}

function priceOf({ prices, unit }: CatalogItem, currency: string): string {
  const price = prices.find((one) => one.currency === currency)
  return price === undefined ? '' : `${formatMoney(price.unitPriceCents, currency)}${UNIT_WORDS[unit]}`
}
