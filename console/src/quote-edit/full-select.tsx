/** A list to choose from whose choice can always be read whole: below it, where the field is too narrow for it. */
import { Select, Text } from '@mantine/core'
import type { SelectProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

interface FullSelectProps extends Omit<SelectProps, 'data' | 'value' | 'ref'> {
  data: { value: string; label: string }[]
  value: string | null
  ref?: RefObject<HTMLInputElement | null>
}

export function FullSelect({ data, value, ref, className, ...props }: FullSelectProps) {
  const own = useRef<HTMLInputElement>(null)
  const input = ref ?? own
  const [isCut, setIsCut] = useState(false)
  const text = data.find((option) => option.value === value)?.label
  useLayoutEffect(() => {
    const { current } = input
    if (current === null || text === undefined) return undefined
    // Measured again after each choice, since its width changes.
    const observer = new ResizeObserver(() => setIsCut(current.scrollWidth > current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [input, text])
  return (
    <div className={className}>
      <Select
        ref={input}
        data={data}
        value={value}
        title={text}
        classNames={{ option: 'edit-option' }}
        {...props}
      />
      {/* Hidden from screen readers: the field already announces it. */}
      {isCut && text !== undefined ? (
        <Text size="xs" mt={4} className="edit-full" aria-hidden="true">
          {text}
        </Text>
      ) : null}
    </div>
  )
}
