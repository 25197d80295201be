/** The discount of a line. */
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CHOICES_MAX } from '../../../src/core/quotes/quote-choices.ts'
import { formatNumber } from '../format.ts'
import { isPart } from '../records/choice-search.ts'
import type { DraftLine } from './draft-lines.ts'
import { FullSelect } from './full-select.tsx'

interface LineDiscountProps {
  line: DraftLine
  name: string
  discounts: { value: string; label: string }[]
  errors: string
  onChange: (discountId: string | null) => void
}

const NO_MATCHES_IN_PART = `No matches among ${formatNumber(CHOICES_MAX)} discounts. Archive those that are no longer used.`

/** The options are rendered only while the field is open: a thousand lists would be slow. */
export function LineDiscount({ line, name, discounts, errors, onChange }: LineDiscountProps) {
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
      nothingFoundMessage={isPart(discounts) ? NO_MATCHES_IN_PART : 'No matches'}
      defaultDropdownOpened={isChoosing}
      onDropdownClose={() => setIsChoosing(false)}
    />
  )
}

/** `errors` is a list of `field\tmessage` in lines. */
export function errorOf(errors: string, field: string): string | undefined {
  const line = errors.split('\n').find((one) => one.startsWith(`${field}\t`))
  return line?.slice(field.length + 1)
}
