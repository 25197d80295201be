/** The lines, by service day, each group with a way to add to it. */
import { Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import type { Dispatch } from 'react'
import { useEffect, useMemo, useRef } from 'react'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { Catalogue } from '../../../src/core/quotes/quote-edit.ts'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { formatMoney, parseMoney } from '../format.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { newLine } from './draft.ts'
import type { Draft, DraftAction, DraftLine } from './draft.ts'
import { dayName, dayParts, discountName, itemName, optionsOf } from './labels.ts'
import { LaterRow } from './later-row.tsx'
import { LineRow } from './line-row.tsx'

const ROWS_AT_ONCE = 30

interface LinesPanelProps {
  quote: Pick<QuoteEditAnswer, 'serviceDays' | 'timeZone' | 'currency'>
  catalogue: Catalogue
  draft: Draft
  /** By the key of a line. */
  errors: ReadonlyMap<string, string>
  figures: ReadonlyMap<string, PriceBreakdown['lines'][number]>
  dispatch: Dispatch<DraftAction>
}

interface Place {
  id: string | null
  name: string
  date: string
  times: string
}

export function LinesPanel(props: LinesPanelProps) {
  const { quote, draft } = props
  const { serviceDays, timeZone } = quote
  const places = useMemo((): Place[] => {
    const days = serviceDays.map((day) => ({
      id: day.id,
      name: dayName(day, timeZone),
      ...dayParts(day, timeZone),
    }))
    const rest = days.length === 0 ? 'Lines' : 'Whole event'
    return [...days, { id: null, name: rest, date: rest, times: '' }]
  }, [serviceDays, timeZone])
  const known = new Set(places.map(({ id }) => id))
  // Lines of a day that the quote does not have belong to the whole event.
  const placeOf = ({ serviceDayId }: DraftLine) => (known.has(serviceDayId) ? serviceDayId : null)
  return (
    <>
      {places.map((place) => (
        <LineGroup
          key={place.id ?? ''}
          {...props}
          place={place}
          places={places}
          lines={draft.lines.filter((line) => placeOf(line) === place.id)}
        />
      ))}
    </>
  )
}

function LineGroup(props: LinesPanelProps & { place: Place; places: Place[]; lines: DraftLine[] }) {
  const { quote, catalogue, lines, place, places, errors, figures, dispatch } = props
  const { currency } = quote
  const list = useRef<HTMLUListElement>(null)
  const added = useRef<string | null>(null)
  // Moves the focus into the new line.
  useEffect(() => {
    const row = list.current?.querySelector(`[data-line="${added.current}"]`)
    added.current = null
    row?.querySelector<HTMLElement>('[data-first]')?.focus()
  })
  const attached = lines.map(({ discountId }) => discountId)
  const attachedKey = JSON.stringify(attached)
  const discounts = useMemo(
    () =>
      optionsOf(catalogue.discounts, discountName, JSON.parse(attachedKey) as (string | null)[], currency),
    [catalogue, attachedKey, currency],
  )
  const add = (item: Parameters<typeof newLine>[0]) => {
    const line = newLine(item, place.id)
    added.current = line.key
    dispatch({ type: 'added', line })
  }
  const sum = lines.reduce(
    (cents, { isRemoved, price }) => cents + (isRemoved ? 0 : (parseMoney(price, currency) ?? 0)),
    0,
  )
  return (
    <Stack
      className="app-panel"
      p={{ base: 'md', sm: 'lg' }}
      gap="sm"
      component="section"
      aria-label={place.name}
    >
      <Group justify="space-between" wrap="nowrap" align="baseline">
        <div className="edit-day">
          <Title order={2}>{place.date}</Title>
          <Text size="sm" c="dimmed">
            {place.times}
          </Text>
        </div>
        <Text className="app-figure" c="dimmed" size="sm">
          {formatMoney(sum, currency)}
        </Text>
      </Group>
      {lines.length === 0 ? (
        <Text c="dimmed" size="sm">
          {place.id === null && places.length > 1
            ? 'Lines that apply to the whole event.'
            : 'No lines yet. Add the first one below.'}
        </Text>
      ) : (
        <ul className="app-list edit-lines" ref={list}>
          {lines.map((line, index) => {
            const Row = index < ROWS_AT_ONCE ? LineRow : LaterRow
            return (
              <Row
                key={line.key}
                line={line}
                item={itemName(line, catalogue)}
                currency={currency}
                discounts={discounts}
                places={places}
                lineDiscountCents={figures.get(line.key)?.lineDiscountCents ?? 0}
                errors={errors.get(line.key) ?? ''}
                dispatch={dispatch}
              />
            )
          })}
        </ul>
      )}
      <AddLine place={place} catalogue={catalogue} onAdd={add} />
    </Stack>
  )
}

function AddLine({
  place,
  catalogue,
  onAdd,
}: {
  place: Place
  catalogue: Catalogue
  onAdd: (item: Parameters<typeof newLine>[0]) => void
}) {
  const data = useMemo(() => {
    const options = (items: Catalogue['services'], prefix: string) =>
      items
        .filter(({ isArchived }) => !isArchived)
        .map(({ id, name }) => ({ value: prefix + id, label: name }))
        .toSorted((a, b) => a.label.localeCompare(b.label))
    return [
      { group: 'Services', items: options(catalogue.services, 's:') },
      { group: 'Add-ons', items: options(catalogue.addons, 'a:') },
    ]
  }, [catalogue])
  return (
    <div className="edit-add">
      <Select
        aria-label={`Add a service or add-on to ${place.name}`}
        placeholder="Add a service or add-on"
        leftSection={<PlusIcon />}
        data={data}
        value={null}
        searchable
        nothingFoundMessage="No matches"
        maxDropdownHeight={320}
        limit={200}
        onChange={(value) => {
          if (value !== null)
            onAdd({ kind: value.startsWith('s:') ? 'SERVICE' : 'ADDON', id: value.slice(2) })
        }}
      />
      <Button
        variant="default"
        leftSection={<PlusIcon />}
        aria-label={`Add a custom line to ${place.name}`}
        onClick={() => onAdd({ kind: 'CUSTOM' })}
      >
        Custom line
      </Button>
    </div>
  )
}
