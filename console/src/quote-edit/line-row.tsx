/** One line of the quote: what it is, how many at what price, its discount, and whether it is taxed. */
import { ActionIcon, Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core'
import { memo, useEffect, useRef, useState } from 'react'
import type { Dispatch, Ref } from 'react'
import { formatMoney } from '../format.ts'
import { TrashIcon } from '../ui/icons.tsx'
import { productOf, shownMoney } from './draft.ts'
import type { DraftAction, DraftLine } from './draft.ts'
import { FigureInput } from './figure-input.tsx'
import { FullSelect } from './full-select.tsx'
import { KIND_NAMES } from './labels.ts'
import { shownQuantity } from './quantity.ts'

export interface LineRowProps {
  line: DraftLine
  /** Null for a custom line. */
  item: string | null
  currency: string
  discounts: { value: string; label: string }[]
  /** Where it can be moved to. */
  places: { id: string | null; name: string }[]
  lineDiscountCents: number
  /** Messages by field, of this line; the same text while nothing changes. */
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

function RemovedLine({
  ref,
  line,
  name,
  dispatch,
}: {
  ref: Ref<HTMLLIElement>
  line: DraftLine
  name: string
  dispatch: Dispatch<DraftAction>
}) {
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

/** The options are rendered only while the field is open: a thousand lists would be slow. */
function LineDiscount({
  line,
  name,
  discounts,
  errors,
  onChange,
}: LineRowProps & { name: string; onChange: (discountId: string | null) => void }) {
  const [isChoosing, setIsChoosing] = useState(false)
  const wasChoosing = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLInputElement>(null)
  // Keeps the keyboard focus in place.
  useEffect(() => {
    if (isChoosing) list.current?.focus()
    else if (wasChoosing.current) button.current?.focus()
    wasChoosing.current = isChoosing
  }, [isChoosing])
  if (line.discountId === null && !isChoosing) {
    return (
      <Button
        ref={button}
        variant="subtle"
        size="compact-sm"
        className="edit-quiet"
        ml={-8}
        aria-label={`Add discount to ${name}`}
        onClick={() => setIsChoosing(true)}
      >
        Add discount
      </Button>
    )
  }
  return (
    <FullSelect
      ref={list}
      aria-label={`Discount on ${name}`}
      placeholder="No discount"
      data={discounts}
      value={line.discountId}
      onChange={onChange}
      error={errorOf(errors, 'discountId')}
      clearable
      searchable={discounts.length > 8}
      size="xs"
      className="edit-discount"
      nothingFoundMessage="No matches"
      defaultDropdownOpened={isChoosing}
      onDropdownClose={() => setIsChoosing(false)}
    />
  )
}

/** `errors` is a list of `field\tmessage` in lines. */
function errorOf(errors: string, field: string): string | undefined {
  const line = errors.split('\n').find((one) => one.startsWith(`${field}\t`))
  return line?.slice(field.length + 1)
}

const DotsIcon = () => (
  <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
    <circle cx="5" cy="12" r="2" />
    <circle cx="12" cy="12" r="2" />
    <circle cx="19" cy="12" r="2" />
  </svg>
)
