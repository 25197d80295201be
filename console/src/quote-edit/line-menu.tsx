/** The actions of a line: move, copy, make it optional or an alternative to another line. */
import { ActionIcon, Menu } from '@mantine/core'
import type { Dispatch } from 'react'
import { DotsIcon } from '../ui/icons.tsx'
import type { DraftAction } from './draft.ts'
import type { DraftLine } from './draft-lines.ts'

/** Another line of the same day that this line can be an alternative to. */
export interface OtherLine {
  key: string
  name: string
  group: string | null
}

interface LineMenuProps {
  line: DraftLine
  name: string
  places: { id: string | null; name: string }[]
  /** All lines of the day. */
  others: readonly OtherLine[]
  newGroup: (name: string) => string
  dispatch: Dispatch<DraftAction>
}

export function LineMenu({ line, name, places, others, newGroup, dispatch }: LineMenuProps) {
  const { key, optional, optionGroup } = line
  const change = (fields: Extract<DraftAction, { type: 'line' }>['change']) =>
    dispatch({ type: 'line', key, change: fields })
  const elsewhere = places.filter(({ id }) => id !== line.serviceDayId)
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`More for ${name}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => dispatch({ type: 'copied', key })}>Copy line</Menu.Item>
        <Menu.Item onClick={() => dispatch({ type: 'shifted', key, by: -1 })}>Move up</Menu.Item>
        <Menu.Item onClick={() => dispatch({ type: 'shifted', key, by: 1 })}>Move down</Menu.Item>
        <Menu.Divider />
        {optionGroup === null ? (
          <Menu.Item onClick={() => change({ optional: !optional })}>
            {optional ? 'Make required' : 'Make optional'}
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => change({ optionGroup: null })}>Remove from alternatives</Menu.Item>
        )}
        <Alternatives line={line} others={others} newGroup={newGroup} dispatch={dispatch} />
        {elsewhere.length === 0 ? null : <Menu.Label>Move to</Menu.Label>}
        {elsewhere.map((place) => (
          <Menu.Item key={place.id ?? ''} onClick={() => change({ serviceDayId: place.id })}>
            {place.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Groups that the line can join, and lines that it can start a group with. */
function Alternatives({
  line,
  others,
  newGroup,
  dispatch,
}: Pick<LineMenuProps, 'line' | 'others' | 'newGroup' | 'dispatch'>) {
  const groups = [
    ...new Set(others.flatMap(({ group }) => (group === line.optionGroup ? [] : (group ?? [])))),
  ]
  const alone = others.filter(({ key, group }) => group === null && key !== line.key)
  if (line.optionGroup !== null || groups.length + alone.length === 0) return null
  const join = (group: string) =>
    dispatch({
      type: 'line',
      key: line.key,
      change: { optionGroup: group, optional: false, selected: false },
    })
  return (
    <>
      <Menu.Label>Alternative to</Menu.Label>
      {groups.map((group) => (
        <Menu.Item key={group} onClick={() => join(group)}>
          {group} (group)
        </Menu.Item>
      ))}
      {alone.map(({ key, name }) => (
        <Menu.Item
          key={key}
          onClick={() => dispatch({ type: 'grouped', key: line.key, otherKey: key, group: newGroup(name) })}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  )
}
