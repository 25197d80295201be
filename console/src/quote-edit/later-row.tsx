/** A line far down a long quote. Its fields are rendered when it comes near the viewport: a thousand at once take seconds. */
import { memo, useEffect, useRef, useState } from 'react'
import { formatMoney, parseMoney } from '../format.ts'
import { LineRow } from './line-row.tsx'
import type { LineRowProps } from './line-row.tsx'

const NEAR = '800px'

export const LaterRow = memo(function LaterRow(props: LineRowProps) {
  const { line, item, currency, errors } = props
  const [isNear, setIsNear] = useState(false)
  const place = useRef<HTMLLIElement>(null)
  const isShown = isNear || line.id === null || errors !== ''
  // Stays rendered after an error is corrected, since the user is typing in it.
  if (isShown && !isNear) setIsNear(true)
  useEffect(() => {
    if (isShown || place.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isShown])
  if (isShown) return <LineRow {...props} />
  return (
    <li className="edit-later" ref={place}>
      <button type="button" onFocus={() => setIsNear(true)}>
        {item ?? line.description ?? 'Custom line'}
      </button>
      <span className="app-figure">{formatMoney(parseMoney(line.price, currency) ?? 0, currency)}</span>
    </li>
  )
})
