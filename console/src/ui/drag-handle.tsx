/** Reorders rows: by dragging one onto another, or with the arrow keys. */
import { ActionIcon } from '@mantine/core'
import type { DragEvent, KeyboardEvent } from 'react'
import { GripIcon } from './icons.tsx'

/** Of one list: the type of its rows while they are dragged. */
export type DragType = `application/x-${string}`

interface DragHandleProps {
  type: DragType
  /** Of the row. */
  id: string
  name: string
  className: string
  size?: number
  onShift: (by: -1 | 1) => void
}

export function DragHandle({ type, id, name, onShift, ...props }: DragHandleProps) {
  const shift = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onShift(event.key === 'ArrowUp' ? -1 : 1)
    // Browsers take the focus from elements that move.
    const handle = event.currentTarget as HTMLElement
    requestAnimationFrame(() => handle.focus())
  }
  return (
    <ActionIcon
      {...props}
      aria-label={`Reorder ${name}`}
      title="Drag, or press the up and down arrow keys"
      draggable
      onDragStart={(event: DragEvent) => event.dataTransfer.setData(type, id)}
      onKeyDown={shift}
    >
      <GripIcon />
    </ActionIcon>
  )
}

/** For the row that another one can be dropped on. */
export const dropTarget = (type: DragType, onDrop: (id: string) => void) => ({
  onDragOver: (event: DragEvent) => {
    if (event.dataTransfer.types.includes(type)) event.preventDefault()
  },
  onDrop: (event: DragEvent) => {
    const id = event.dataTransfer.getData(type)
    if (id === '') return
    event.preventDefault()
    onDrop(id)
  },
})
