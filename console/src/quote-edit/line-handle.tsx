/** Moves a line: by dragging, or with the arrow keys. */
import { ActionIcon } from '@mantine/core'
import type { Dispatch, DragEvent, KeyboardEvent } from 'react'
import { GripIcon } from '../ui/icons.tsx'
import type { DraftAction } from './draft.ts'

const TYPE = 'application/x-quote-line'

interface LineHandleProps {
  lineKey: string
  name: string
  dispatch: Dispatch<DraftAction>
}

export function LineHandle({ lineKey, name, dispatch }: LineHandleProps) {
  const shift = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    dispatch({ type: 'shifted', key: lineKey, by: event.key === 'ArrowUp' ? -1 : 1 })
    // The line is at another place of the list now, and browsers take the focus from elements that move.
    const handle = event.currentTarget as HTMLElement
    requestAnimationFrame(() => handle.focus())
  }
  return (
    <ActionIcon
      className="edit-handle"
      aria-label={`Reorder ${name}`}
      title="Drag, or press the up and down arrow keys"
      draggable
      onDragStart={(event: DragEvent) => event.dataTransfer.setData(TYPE, lineKey)}
      onKeyDown={shift}
    >
      <GripIcon />
    </ActionIcon>
  )
}

/** For the line that another one can be dropped on. */
export function dropTarget(lineKey: string, dispatch: Dispatch<DraftAction>) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(TYPE)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const key = event.dataTransfer.getData(TYPE)
      if (key === '') return
      event.preventDefault()
      if (key !== lineKey) dispatch({ type: 'dropped', key, onKey: lineKey })
    },
  }
}
