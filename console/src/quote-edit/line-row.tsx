/** A line of the quote: item, quantity, prices, discount and tax. */
import { ActionIcon, Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import type { Dispatch, Ref } from 'react'
import { formatMoney } from '../format.ts'
import { DotsIcon, TrashIcon } from '../ui/icons.tsx'
import { productOf, shownMoney } from './draft.ts'
import type { DraftAction, DraftLine } from './draft.ts'
import { FigureInput } from './figure-input.tsx'
import { KIND_NAMES } from './labels.ts'
import { LineDiscount, errorOf } from './line-discount.tsx'
import { shownQuantity } from './quantity.ts'

export interface LineRowProps {
  line: DraftLine
  /** Null for a custom line. */
  item: string | null
  currency: string
  discounts: { value: string; label: string }[]
  /** Days that it can be moved to. */
  places: { id: string | null; name: string }[]
  lineDiscountCents: number
  /** Messages by field (see `errorOf`). A string, so that it is equal while nothing changes. */
  errors: string
  dispatch: Dispatch<DraftAction>
}

/** Renders again only if its props changed: there may be a thousand rows. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, item, dispatch } = props
  const name = item ?? line.description ?? 'Custom line'
  const row = useRef<HTMLLIElement>(null)
  const wasRemoved = useRef(line.isRemoved)
  // The focused element is gone, so the focus moves to Undo, and from there back into the line.
  useEffect(() => {
    if (wasRemoved.current === line.isRemoved) return
    wasRemoved.current = line.isRemoved
    row.current?.querySelector<HTMLElement>(line.isRemoved ? 'button' : 'input')?.focus()
  }, [line.isRemoved])
  if (line.isRemoved) return <RemovedLine ref={row} line={line} name={name} dispatch={dispatch} />
  return (
    <li className="edit-line" aria-label={name} data-line={line.key} ref={row}>
      <LineItem {...props} />
      <LineFigures {...props} />
      <LineTerms {...props} name={name} />
    </li>
  )
})

interface RemovedLineProps extends Pick<LineRowProps, 'line' | 'dispatch'> {
  ref: Ref<HTMLLIElement>
  name: string
}

function RemovedLine({ ref, line, name, dispatch }: RemovedLineProps) {
  return (
    <li className="edit-removed" ref={ref}>
      <Text size="sm" c="dimmed" truncate>
        <s>{name}</s> will be removed when you save
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Undo removing ${name}`}
        onClick={() => dispatch({ type: 'line', key: line.key, change: { isRemoved: false } })}
      >
        Undo
      </Button>
    </li>
  )
}

function LineItem({ line, item, errors, dispatch }: LineRowProps) {
  const describe = (text: string) =>
    dispatch({ type: 'line', key: line.key, change: { description: text === '' ? null : text } })
  const common = {
    value: line.description ?? '',
    onChange: (event: { currentTarget: HTMLInputElement }) => describe(event.currentTarget.value),
    error: errorOf(errors, 'description') ?? errorOf(errors, 'serviceId') ?? errorOf(errors, 'addonId'),
    maxLength: 2_000,
  }
  if (item === null) {
    return (
      <div className="edit-item">
        <TextInput {...common} label="Custom line" placeholder="What is it?" data-first />
      </div>
    )
  }
  return (
    <div className="edit-item">
      <Text fw={600} className="edit-name">
        {item}{' '}
        <Text span size="xs" c="dimmed" className="edit-kind">
          {KIND_NAMES[line.kind]}
        </Text>
      </Text>
      <TextInput
        {...common}
        aria-label={`Note on ${item}`}
        placeholder="Add a note"
        title={line.description ?? undefined}
        variant="unstyled"
        size="sm"
        classNames={{ input: 'edit-note' }}
      />
    </div>
  )
}

function LineFigures({ line, currency, errors, dispatch }: LineRowProps) {
  const field = (name: 'quantity' | 'unitPrice' | 'price') => ({
    value: line[name],
    shown: name === 'quantity' ? shownQuantity(line.quantity) : shownMoney(line[name], currency),
    onChange: (text: string) => dispatch({ type: 'typed', key: line.key, field: name, text }),
    onBlur: () => dispatch({ type: 'left', key: line.key, field: name }),
    error: errorOf(errors, name),
  })
  const product = productOf(line, currency)
  const isOther = line.isPriceTyped && product !== null
  return (
    <div className="edit-figures">
      <FigureInput label="Quantity" {...field('quantity')} />
      <FigureInput
        label="Unit price"
        placeholder="–"
        {...field('unitPrice')}
        {...(line.kind === 'CUSTOM' ? {} : { 'data-first': true })}
      />
      <FigureInput label="Price" {...field('price')} withErrorStyles />
      {isOther ? (
        <Button
          className="edit-product edit-quiet"
          variant="subtle"
          size="compact-xs"
          onClick={() => dispatch({ type: 'recalculated', key: line.key })}
        >
          Use quantity × unit price: {formatMoney(product, currency)}
        </Button>
      ) : null}
    </div>
  )
}

function LineTerms(props: LineRowProps & { name: string }) {
  const { line, name, currency, places, lineDiscountCents, dispatch } = props
  const others = places.filter(({ id }) => id !== line.serviceDayId)
  const change = (fields: Partial<DraftLine>) => dispatch({ type: 'line', key: line.key, change: fields })
  return (
    <div className="edit-terms">
      <LineDiscount {...props} onChange={(discountId) => change({ discountId })} />
      {lineDiscountCents === 0 ? null : (
        <Text size="sm" className="app-figure" c="dimmed">
          −{formatMoney(lineDiscountCents, currency)}
        </Text>
      )}
      <Checkbox
        size="sm"
        label="Taxable"
        checked={line.taxable}
        onChange={(event) => change({ taxable: event.currentTarget.checked })}
      />
      <Group gap={4} ml="auto" wrap="nowrap">
        {others.length > 0 ? (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Move ${name}`}>
                <DotsIcon />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Move to</Menu.Label>
              {others.map((place) => (
                <Menu.Item key={place.id ?? ''} onClick={() => change({ serviceDayId: place.id })}>
                  {place.name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : null}
        <ActionIcon
          variant="subtle"
          color="red"
          className="edit-danger"
          aria-label={`Remove ${name}`}
          onClick={() => change({ isRemoved: true })}
        >
          <TrashIcon />
        </ActionIcon>
      </Group>
    </div>
  )
}
