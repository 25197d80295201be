/** Filters in the URL, with a button that clears them. A change replaces the previous one in the history. */
import { Button, SimpleGrid } from '@mantine/core'
import type { SimpleGridProps } from '@mantine/core'
import type { AddressParams } from '../address-params.ts'
import { Form } from './form.tsx'

interface FilterFormProps
  extends Pick<AddressParams, 'params' | 'change'>, Pick<SimpleGridProps, 'cols' | 'children'> {
  filters: readonly string[]
}

export function FilterForm({ params, change, filters, ...grid }: FilterFormProps) {
  return (
    <Form className="app-panel" onSubmit={() => undefined} role="search">
      <SimpleGrid p="md" spacing="sm" verticalSpacing="sm" {...grid} />
      {filters.some((filter) => params.has(filter)) ? (
        <Button
          variant="default"
          size="xs"
          mx="md"
          mb="md"
          onClick={() => change(() => new URLSearchParams(), { replace: true })}
        >
          Clear filters
        </Button>
      ) : null}
    </Form>
  )
}

/** The props of a field that is a filter. `cursor` is the parameter of later pages. */
export const filterField = (
  name: string,
  { params, set }: Pick<AddressParams, 'params' | 'set'>,
  cursor: string,
) => ({
  value: params.get(name) ?? '',
  onChange: (event: { currentTarget: { value: string } }) =>
    set(name, event.currentTarget.value, { replace: true, cursor }),
})
