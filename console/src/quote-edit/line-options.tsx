/** Whether an optional line or an alternative is selected. */
import { Badge, Checkbox, Radio } from '@mantine/core'
import type { Dispatch } from 'react'
import { Note } from '../ui/note.ts'
import type { DraftAction } from './draft.ts'
import type { DraftLine } from './draft-lines.ts'

interface LineOptionsProps {
  line: DraftLine
  name: string
  dispatch: Dispatch<DraftAction>
}

export function LineOptions({ line, name, dispatch }: LineOptionsProps) {
  const { key, optional, selected, optionGroup } = line
  const isOption = optional || optionGroup !== null
  // An imported line can be left out without being optional.
  if (!isOption && selected) return null
  return (
    <div className="edit-options">
      {isOption ? (
        <Badge variant="default" className="edit-badge">
          {optionGroup === null ? 'Optional' : `Alternative: ${optionGroup}`}
        </Badge>
      ) : null}
      {optionGroup === null ? (
        <Checkbox
          size="sm"
          label="Selected"
          aria-label={`${name} is selected`}
          checked={selected}
          onChange={(event) =>
            dispatch({ type: 'line', key, change: { selected: event.currentTarget.checked } })
          }
        />
      ) : (
        <Radio
          size="sm"
          label="Selected"
          aria-label={`${name} is selected`}
          name={`group ${optionGroup}`}
          checked={selected}
          onChange={() => dispatch({ type: 'chosen', key })}
        />
      )}
      {selected ? null : <Note>Not in the total</Note>}
    </div>
  )
}
