/** Creates a form and opens it. */
import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { FormPurpose } from '../../../src/core/enumerations.ts'
import { call, queryClient } from '../call.ts'
import { Form, FormButtons } from '../ui/form.tsx'
import { ErrorAlert } from '../ui/states.tsx'

const NAMES: Record<FormPurpose, string> = { QUOTE: 'Ask for a quote', BOOKING: 'Event details' }

export function NewForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [purpose, setPurpose] = useState<FormPurpose>('QUOTE')
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => call<{ id: string }>('POST', 'forms', { name: name.trim() || NAMES[purpose], purpose }),
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['forms', 'list'] })
      await navigate(`/forms/${encodeURIComponent(id)}`)
    },
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title="New form">
      <Form onSubmit={() => !create.isPending && create.mutate()}>
        <Stack>
          <Radio.Group label="Kind" value={purpose} onChange={(value) => setPurpose(value)}>
            <Stack gap="xs" mt={6}>
              <Radio
                value="QUOTE"
                label="Quote form"
                description="Visitors of your website ask for a quote."
              />
              <Radio
                value="BOOKING"
                label="Booking form"
                description="Customers with a booking tell you the details."
              />
            </Stack>
          </Radio.Group>
          <TextInput
            label="Name"
            placeholder={NAMES[purpose]}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
          <ErrorAlert error={create.error} />
          <FormButtons action="Create form" onCancel={onClose} isBusy={create.isPending} />
        </Stack>
      </Form>
    </Modal>
  )
}
