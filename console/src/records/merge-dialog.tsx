/** Merges another contact into this one, after showing the result. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MergeAnswer, MergePlanAnswer } from '../../../src/console/contacts.ts'
import type { StoredRecord } from '../../../src/console/records.ts'
import { CallError, call } from '../call.ts'
import { formatNumber } from '../format.ts'
import '../quotes/quote-page.css'
import { Fact } from '../ui/facts.tsx'
import { ErrorAlert, LoadingState } from '../ui/states.tsx'
import { recordName, viewOf } from './kinds.ts'
import { refreshRecords } from './queries.ts'
import { RecordSelect } from './record-select.tsx'

const VIEW = viewOf('contacts')

interface MergeDialogProps {
  record: StoredRecord
  isOpen: boolean
  onClose: () => void
}

export function MergeDialog({ record, isOpen, onClose }: MergeDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} size="lg" title="Merge contacts">
      <Merge record={record} onClose={onClose} />
    </Modal>
  )
}

function Merge({ record, onClose }: Omit<MergeDialogProps, 'isOpen'>) {
  const [other, setOther] = useState<{ id: string; name: string } | null>(null)
  const path = `contacts/${encodeURIComponent(record.id)}/merge`
  const plan = useQuery({
    queryKey: ['contacts', 'merge', record.id, record.updatedAt, other?.id],
    queryFn: () => call<MergePlanAnswer>('POST', `${path}/plan`, { otherId: other?.id }),
    enabled: other !== null,
    staleTime: 0,
  })
  const merge = useMutation({
    mutationFn: ({ kept, other: merged }: MergePlanAnswer) =>
      call<MergeAnswer>('POST', path, {
        otherId: merged.id,
        updatedAt: kept.updatedAt,
        otherUpdatedAt: merged.updatedAt,
      }),
    onSuccess: async () => {
      onClose()
      await refreshRecords()
      notifications.show({ message: 'Merged the contacts.' })
    },
    onError: (error) => {
      if (error instanceof CallError && error.code === 'conflict') void plan.refetch()
    },
  })
  return (
    <Stack>
      <Text size="sm">
        Choose the contact to merge into {recordName(VIEW, record)}. Its quotes, bookings and invoices move
        here, and it is archived.
      </Text>
      <RecordSelect
        path="contacts"
        label="Contact to merge"
        value={other?.id ?? null}
        name={other?.name ?? ''}
        without={record.id}
        onChange={(id, name) => {
          merge.reset()
          setOther(id === null ? null : { id, name })
        }}
      />
      {other === null ? null : plan.data === undefined ? (
        plan.error === null ? (
          <LoadingState lines={3} label="Loading the result" />
        ) : (
          <ErrorAlert error={plan.error} />
        )
      ) : (
        <Result plan={plan.data} />
      )}
      <ErrorAlert error={merge.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={plan.data === undefined || other === null}
          loading={merge.isPending}
          onClick={() => plan.data !== undefined && merge.mutate(plan.data)}
        >
          Merge contacts
        </Button>
      </Group>
    </Stack>
  )
}

const count = (number: number, one: string) => (number === 1 ? `1 ${one}` : `${formatNumber(number)} ${one}s`)

function Result({ plan: { kept, filled, other, moved } }: { plan: MergePlanAnswer }) {
  const result = { ...kept, ...filled }
  return (
    <section className="record-merge" aria-label="Result">
      <Text size="sm" fw={600}>
        Result
      </Text>
      <dl className="quote-facts">
        {VIEW.fields.map(({ name, label }) => (
          <Fact key={name} name={label}>
            {result[name] == null ? null : (
              <>
                <span className="quote-text">{result[name] as string}</span>
                {name in filled ? (
                  <Text size="xs" c="dimmed">
                    From {recordName(VIEW, other)}
                  </Text>
                ) : null}
              </>
            )}
          </Fact>
        ))}
      </dl>
      <Text size="sm">
        {`Moves ${count(moved.quotes, 'quote')}, ${count(moved.bookings, 'booking')} and ${count(moved.invoices, 'invoice')}, and archives ${recordName(VIEW, other)}.`}
      </Text>
    </section>
  )
}
