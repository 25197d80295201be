/** The lines, by service day, each group with a way to add to it. */
import { Button, Group, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Dispatch } from 'react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Occasion } from '../../../src/core/pricing/catalog-price.ts'
import type { PriceBreakdown } from '../../../src/core/pricing/price-quote.ts'
import type { PackageChoice } from '../../../src/core/quotes/quote-choices.ts'
import type { Catalog } from '../../../src/core/quotes/quote-edit.ts'
import { newGroupName } from '../../../src/core/quotes/quote-options.ts'
import { formatMoney, parseMoney } from '../format.ts'
import { useSession } from '../session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { AddLine } from './add-line.tsx'
import { DayHead } from './day-head.tsx'
import type { Draft, DraftAction } from './draft.ts'
import { nextDay, timesOf } from './draft-details.ts'
import type { DraftDay } from './draft-details.ts'
import { catalogLine, customLine, itemOf, packageLines } from './draft-lines.ts'
import type { DraftLine } from './draft-lines.ts'
import { dayName, dayParts, discountName, itemName, optionsOf } from './labels.ts'
import { LaterRow } from './later-row.tsx'
import type { OtherLine } from './line-menu.tsx'
import { LineRow } from './line-row.tsx'
import type { Addition } from './use-editor.ts'

const ROWS_AT_ONCE = 30

interface LinesPanelProps {
  catalog: Catalog
  packages: readonly PackageChoice[]
  draft: Draft
  occasion: Occasion
  /** By the key of a line or the id of a day. */
  errors: ReadonlyMap<string, string>
  figures: ReadonlyMap<string, PriceBreakdown['lines'][number]>
  dispatch: Dispatch<DraftAction>
  onFound: (addition: Addition) => void
}

interface Place {
  id: string | null
  name: string
  date: string
  times: string
  day: DraftDay | null
}

function placesOf({ days, timeZone }: Pick<Draft, 'days' | 'timeZone'>): Place[] {
  const places = days.map((day): Place => {
    const times = timesOf(day, timeZone)
    if (times === null) return { id: day.id, name: 'New day', date: 'New day', times: '', day }
    return { id: day.id, name: dayName(times, timeZone), ...dayParts(times, timeZone), day }
  })
  const rest = days.length === 0 ? 'Lines' : 'Whole event'
  return [...places, { id: null, name: rest, date: rest, times: '', day: null }]
}

export function LinesPanel(props: LinesPanelProps) {
  const { draft, dispatch } = props
  const { days, timeZone } = draft
  // Stable while lines are edited: every row depends on it.
  const places = useMemo(() => placesOf({ days, timeZone }), [days, timeZone])
  const known = new Set(places.map(({ id }) => id))
  const lines = useRef(draft.lines)
  useEffect(() => {
    lines.current = draft.lines
  })
  const newGroup = useCallback((name: string) => newGroupName(name, lines.current), [])
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
          newGroup={newGroup}
          lines={draft.lines.filter((line) => placeOf(line) === place.id)}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => dispatch({ type: 'dayAdded', day: nextDay(days) })}
        >
          Add day
        </Button>
      </div>
    </>
  )
}

interface LineGroupProps extends LinesPanelProps {
  place: Place
  places: Place[]
  newGroup: (name: string) => string
  lines: DraftLine[]
}

function LineGroup(props: LineGroupProps) {
  const { catalog, packages, draft, occasion, lines, place, places, errors, dispatch, onFound } = props
  const { currency } = draft
  const list = useRef<HTMLUListElement>(null)
  const added = useRef<string | null>(null)
  // Moves the focus into a new custom line.
  useEffect(() => {
    const row = list.current?.querySelector(`[data-line="${added.current}"]`)
    added.current = null
    row?.querySelector<HTMLElement>('[data-first]')?.focus()
  })
  const add = (...more: DraftLine[]) => dispatch({ type: 'added', lines: more })
  const companyCurrency = useSession().company.currency
  const addPackage = (chosen: PackageChoice) => {
    const where = { serviceDayId: place.id, occasion, catalog, companyCurrency, others: draft.lines }
    const { lines: more, leftOut } = packageLines(chosen, where)
    add(...more)
    if (leftOut.length === 0) return
    notifications.show({
      color: 'yellow',
      title: `Not all lines of ${chosen.name} were added`,
      message: `No longer in the catalog: ${leftOut.join(', ')}.`,
      autoClose: false,
    })
  }
  const counted = lines.filter(({ isRemoved, selected }) => !isRemoved && selected)
  const sum = counted.reduce((cents, { price }) => cents + (parseMoney(price, currency) ?? 0), 0)
  return (
    <Stack
      className="app-panel"
      p={{ base: 'md', sm: 'lg' }}
      gap="sm"
      component="section"
      aria-label={place.name}
    >
      <Group justify="space-between" wrap="nowrap" align="baseline">
        {place.day === null ? (
          <Title order={2}>{place.date}</Title>
        ) : (
          <div className="edit-day-head">
            <DayHead
              {...place}
              day={place.day}
              timeZone={draft.timeZone}
              lineCount={lines.filter(({ isRemoved }) => !isRemoved).length}
              errors={errors.get(place.day.id) ?? ''}
              dispatch={dispatch}
            />
          </div>
        )}
        <Note className="app-figure">{formatMoney(sum, currency)}</Note>
      </Group>
      {lines.length === 0 ? (
        <Note>
          {place.id === null && places.length > 1
            ? 'Lines that apply to the whole event.'
            : 'No lines yet. Add the first one below.'}
        </Note>
      ) : (
        <ul className="app-list edit-lines" ref={list}>
          <Rows {...props} />
        </ul>
      )}
      <AddLine
        place={place.name}
        catalog={catalog}
        packages={packages}
        currency={currency}
        onAddItem={({ kind, item }) => {
          const line = catalogLine({ kind, item }, place.id, occasion)
          if (itemOf(line, catalog) === undefined)
            onFound({ kind: kind === 'SERVICE' ? 'service' : 'addon', definition: item })
          add(line)
        }}
        onAddPackage={addPackage}
        onAddCustom={() => {
          const line = customLine(place.id)
          added.current = line.key
          add(line)
        }}
      />
    </Stack>
  )
}

function Rows({ catalog, draft, lines, places, newGroup, errors, figures, dispatch }: LineGroupProps) {
  const { currency } = draft
  const attachedKey = JSON.stringify(lines.map(({ discountId }) => discountId))
  const discounts = useMemo(
    () => optionsOf(catalog.discounts, discountName, JSON.parse(attachedKey) as (string | null)[], currency),
    [catalog, attachedKey, currency],
  )
  const othersKey = JSON.stringify(
    lines.flatMap((line): OtherLine[] => {
      const name = itemName(line, catalog) ?? line.description ?? 'Custom line'
      return line.isRemoved ? [] : [{ key: line.key, name, group: line.optionGroup }]
    }),
  )
  const others = useMemo(() => JSON.parse(othersKey) as OtherLine[], [othersKey])
  return lines.map((line, index) => {
    const Row = index < ROWS_AT_ONCE ? LineRow : LaterRow
    const prices = itemOf(line, catalog)?.prices
    return (
      <Row
        key={line.key}
        line={line}
        item={itemName(line, catalog)}
        currency={currency}
        discounts={discounts}
        places={places}
        others={others}
        newGroup={newGroup}
        isUnpriced={prices !== undefined && prices.every((price) => price.currency !== currency)}
        lineDiscountCents={figures.get(line.key)?.lineDiscountCents ?? 0}
        errors={errors.get(line.key) ?? ''}
        dispatch={dispatch}
      />
    )
  })
}
