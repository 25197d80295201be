/** A line of the quote: item, quantity, prices, discount and tax. */
import { ActionIcon, Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import type { Dispatch, Ref } from 'react'
import { formatMoney } from '../format.ts'
import { DragHandle, dropTarget } from '../ui/drag-handle.tsx'
import { TrashIcon } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import type { DraftAction } from './draft.ts'
import { productOf } from './draft-lines.ts'
import type { DraftLine } from './draft-lines.ts'
import { FigureInput } from './figure-input.tsx'
import { KIND_NAMES } from './labels.ts'
import { LineDiscount, errorOf } from './line-discount.tsx'
import { LineMenu } from './line-menu.tsx'
import type { OtherLine } from './line-menu.tsx'
import { LineOptions } from './line-options.tsx'
import { shownQuantity } from './quantity.ts'
import { shownMoney } from './typed-money.ts'

const DRAGGED = 'application/x-quote-line'

export interface LineRowProps {
  line: DraftLine
  /** Null for a custom line. */
  item: string | null
  currency: string
  discounts: { value: string; label: string }[]
  /** Days that it can be moved to. */
  places: { id: string | null; name: string }[]
  /** All lines of the day, for alternatives. */
  others: readonly OtherLine[]
  newGroup: (name: string) => string
  /** The catalog has no price for it in the currency of the quote. */
  isUnpriced: boolean
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
    <li
      className={line.selected ? 'edit-line' : 'edit-line is-left-out'}
      aria-label={name}
      data-line={line.key}
      ref={row}
      {...dropTarget(
        DRAGGED,
        (key) => key !== line.key && dispatch({ type: 'dropped', key, onKey: line.key }),
      )}
    >
      <LineItem {...props} name={name} />
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
      <Note truncate>
        <s>{name}</s> will be removed when you save
      </Note>
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

function LineItem({ line, item, name, errors, dispatch }: LineRowProps & { name: string }) {
  const describe = (text: string) =>
    dispatch({ type: 'line', key: line.key, change: { description: text === '' ? null : text } })
  const common = {
    value: line.description ?? '',
    onChange: (event: { currentTarget: HTMLInputElement }) => describe(event.currentTarget.value),
    error: ['description', 'serviceId', 'addonId', 'selected']
      .map((field) => errorOf(errors, field))
      .find((message) => message !== undefined),
    maxLength: 2_000,
  }
  return (
    <div className="edit-item">
      <DragHandle
        type={DRAGGED}
        id={line.key}
        name={name}
        className="edit-handle"
        onShift={(by) => dispatch({ type: 'shifted', key: line.key, by })}
      />
      {item === null ? (
        <TextInput {...common} label="Custom line" placeholder="What is it?" data-first />
      ) : (
        <div className="edit-item-text">
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
      )}
    </div>
  )
}

function LineFigures({ line, currency, isUnpriced, errors, dispatch }: LineRowProps) {
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
      {isUnpriced && line.price.trim() === '' ? (
        <Text size="xs" c="dimmed" className="edit-product">
          The catalog has no price in {currency}. Enter one.
        </Text>
      ) : null}
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
  const { line, name, currency, lineDiscountCents, dispatch } = props
  const change = (fields: Pick<Partial<DraftLine>, 'discountId' | 'taxable' | 'isRemoved'>) =>
    dispatch({ type: 'line', key: line.key, change: fields })
  return (
    <div className="edit-terms">
      <LineDiscount {...props} onChange={(discountId) => change({ discountId })} />
      {lineDiscountCents === 0 ? null : (
        <Note className="app-figure">−{formatMoney(lineDiscountCents, currency)}</Note>
      )}
      <Checkbox
        size="sm"
        label="Taxable"
        checked={line.taxable}
        onChange={(event) => change({ taxable: event.currentTarget.checked })}
      />
      <LineOptions line={line} name={name} dispatch={dispatch} />
      <Group gap={4} ml="auto" wrap="nowrap">
        <LineMenu {...props} />
        <ActionIcon
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
