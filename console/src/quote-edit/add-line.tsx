/** Adds lines by typing: services, add-ons and packages. Enter adds the first match, and the field stays focused. */
import { Button, Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { PackageChoice } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalogue, CatalogueItem } from '../../../src/core/quotes/quote-edit.ts'
import { formatMoney } from '../format.ts'
import { PlusIcon } from '../ui/icons.tsx'
import type { ItemChoice } from './draft-lines.ts'

const UNIT_WORDS = { EACH: '', HOUR: ' per hour', GUEST: ' per guest', DAY: ' per day' }

interface AddLineProps {
  /** The day, or the whole event. */
  place: string
  catalogue: Catalogue
  packages: readonly PackageChoice[]
  currency: string
  onAddItem: (choice: ItemChoice) => void
  onAddPackage: (chosen: PackageChoice) => void
  onAddCustom: () => void
}

export function AddLine(props: AddLineProps) {
  const { place, catalogue, packages, currency, onAddItem, onAddPackage, onAddCustom } = props
  const [search, setSearch] = useState('')
  const data = useMemo(() => {
    const options = (items: readonly CatalogueItem[], prefix: string) =>
      items
        .filter(({ isArchived }) => !isArchived)
        .map((item) => ({ value: prefix + item.id, label: item.name, price: priceOf(item, currency) }))
        .toSorted((a, b) => a.label.localeCompare(b.label))
    return [
      { group: 'Services', items: options(catalogue.services, 's:') },
      { group: 'Add-ons', items: options(catalogue.addons, 'a:') },
      {
        group: 'Packages',
        items: packages.map(({ id, name, lines }) => ({
          value: `p:${id}`,
          label: name,
          price: lines.length === 1 ? '1 line' : `${lines.length} lines`,
        })),
      },
    ].filter(({ items }) => items.length > 0)
  }, [catalogue, packages, currency])
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
    const item = (isService ? catalogue.services : catalogue.addons).find((one) => one.id === id)
    if (bundle === undefined && item !== undefined) onAddItem({ kind: isService ? 'SERVICE' : 'ADDON', item })
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
    add(options.find(({ label }) => label.toLowerCase().includes(wanted))?.value ?? null)
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
        nothingFoundMessage={data.length === 0 ? 'The catalog is empty' : 'No matches'}
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

/** The option of the open list that Enter chooses. */
function highlightedOption({ target }: KeyboardEvent): HTMLElement | null {
  const list = (target as Element).getAttribute('aria-controls')
  return list === null
    ? null
    : (document.getElementById(list)?.querySelector<HTMLElement>('[data-combobox-selected]') ?? null)
}

function priceOf({ prices, unit }: CatalogueItem, currency: string): string {
  const price = prices.find((one) => one.currency === currency)
  return price === undefined ? '' : `${formatMoney(price.unitPriceCents, currency)}${UNIT_WORDS[unit]}`
}
