/** Which changes an endpoint receives: all, whole groups, or single types. */
import { Checkbox, Input, SimpleGrid, Stack } from '@mantine/core'
import { titleOf } from '../activity/titles.ts'
import { ALL_CHANGES, TYPE_GROUPS } from './words.ts'

interface TypeChoiceProps {
  value: readonly string[]
  onChange: (types: string[]) => void
  error: string | undefined
}

type Group = (typeof TYPE_GROUPS)[number]

export function TypeChoice({ value, onChange, error }: TypeChoiceProps) {
  const isAll = value.includes(ALL_CHANGES)
  return (
    <Input.Wrapper
      component="fieldset"
      className="webhook-types"
      label="Changes to send"
      labelElement="div"
      error={error}
      aria-label="Changes to send"
    >
      <Stack gap="md" mt={6}>
        <Checkbox
          label="All changes"
          description="Includes types added in later releases."
          checked={isAll}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? [ALL_CHANGES] : [])}
        />
        {isAll
          ? null
          : TYPE_GROUPS.map((group) => (
              <GroupChoice key={group.pattern} group={group} value={value} onChange={onChange} />
            ))}
      </Stack>
    </Input.Wrapper>
  )
}

type GroupChoiceProps = Pick<TypeChoiceProps, 'value' | 'onChange'> & { group: Group }

function GroupChoice({ group: { name, pattern, types }, value, onChange }: GroupChoiceProps) {
  const isWhole = value.includes(pattern)
  const chosen = isWhole ? types : types.filter((type) => value.includes(type))
  const others = value.filter((type) => type !== pattern && !types.some((one) => one === type))
  return (
    <div role="group" aria-label={name} className="webhook-type-group">
      <Checkbox
        label={name}
        classNames={{ label: 'webhook-type-name' }}
        checked={isWhole}
        indeterminate={!isWhole && chosen.length > 0}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? [...others, pattern] : others)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing={8} mt={8} ml={28}>
        {types.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            label={titleOf({ type })}
            checked={chosen.includes(type)}
            // A single type cannot be taken from a whole group, so its others are chosen one by one.
            onChange={({ currentTarget }) =>
              onChange([
                ...others,
                ...(currentTarget.checked ? [...chosen, type] : chosen.filter((one) => one !== type)),
              ])
            }
          />
        ))}
      </SimpleGrid>
    </div>
  )
}
