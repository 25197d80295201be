/** A new quote: who it is for, where and when. Saving leads into the editor. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ContactChoice, QuoteChoices } from '../../../src/core/quotes/quote-choices.ts'
import { Bone, Loading, countTo } from '../loading.tsx'
import { useAskedContact } from '../quote-new/asked-contact.ts'
import { findBegun, forgetBegun } from '../quote-new/begun-form.ts'
import { BegunNote } from '../quote-new/begun-note.tsx'
import { emptyForm } from '../quote-new/form.ts'
import { NewQuoteForm } from '../quote-new/new-quote-form.tsx'
import '../quote-new/quote-new.css'
import { useSession } from '../session.ts'
import { BackLink } from '../ui/back-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyPanel, ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function QuoteNew() {
  const { company, user } = useSession()
  const asked = useAskedContact()
  const { data, error, refetch } = useGet<QuoteChoices>(['quote-choices'], 'quote-choices')
  const failure = asked.error ?? (data === undefined ? error : null)
  return (
    <>
      <PageHeader
        title="New quote"
        subtitle="Next, you add lines and prices."
        back={<BackLink to="/quotes">Quotes</BackLink>}
      />
      {failure !== null ? (
        <ErrorState
          error={failure}
          onRetry={() => void (asked.error === null ? refetch() : asked.refetch())}
        />
      ) : data === undefined || asked.isLoading ? (
        <FormBones />
      ) : data.locations.length === 0 ? (
        <NoLocation />
      ) : (
        <>
          {asked.problem === null ? null : (
            <Alert color="yellow" role="status" p="sm" mb="md" className="new-quote">
              {asked.problem}
            </Alert>
          )}
          <BegunOrEmpty
            key={asked.contact?.id ?? ''}
            owner={`${company.id} ${user.id}`}
            choices={data}
            contact={asked.contact}
          />
        </>
      )}
    </>
  )
}

function FormBones() {
  return (
    <Loading label="Loading the form">
      <Stack className="app-panel new-quote" p={{ base: 'md', sm: 'lg' }}>
        {countTo(5).map((row) => (
          <Bone key={row} height={58} />
        ))}
      </Stack>
    </Loading>
  )
}

function NoLocation() {
  return (
    <EmptyPanel
      title="Add a location first"
      action={
        <Group justify="center" mt="xs">
          <Button component={Link} to="/locations/new">
            Add a location
          </Button>
          <Button component={Link} to="/quotes" variant="default">
            Back to quotes
          </Button>
        </Group>
      }
    >
      A quote needs a location, which decides the time zone of its days.
    </EmptyPanel>
  )
}

interface BegunOrEmptyProps {
  owner: string
  choices: QuoteChoices
  /** Chosen at first. */
  contact: ContactChoice | null
}

function BegunOrEmpty({ owner, choices, contact }: BegunOrEmptyProps) {
  const { currency } = useSession().company
  const [blank] = useState(() => emptyForm(choices.locations, contact, currency))
  const [begun, setBegun] = useState(() => findBegun(owner, blank))
  const startOver = () => {
    if (begun !== null) forgetBegun(begun)
    setBegun(null)
  }
  const initial = begun ?? blank
  return (
    <>
      {begun === null ? null : <BegunNote onStartOver={startOver} />}
      {/* A new form has the focus in its first field. */}
      <NewQuoteForm key={initial.id} owner={owner} choices={choices} initial={initial} />
    </>
  )
}
