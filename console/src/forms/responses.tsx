/** Responses to forms: of one form, or of a quote and its booking. */
import { Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ListedResponse, QuoteAnswersAnswer, ResponsesAnswer } from '../../../src/console/forms.ts'
import { formatDateTime } from '../format.ts'
import { LoadingPanels } from '../loading.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Note } from '../ui/note.ts'
import { Paging } from '../ui/paging.tsx'
import { Panel } from '../ui/panel.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'
import './forms.css'

export function FormResponses({ id }: { id: string }) {
  const [startingAfter, setStartingAfter] = useState<string | null>(null)
  const query = startingAfter === null ? '' : `?startingAfter=${encodeURIComponent(startingAfter)}`
  const { data, error, refetch, isPlaceholderData } = useGet<ResponsesAnswer>(
    ['forms', 'responses', id, query],
    `forms/${encodeURIComponent(id)}/responses${query}`,
    { placeholderData: keepPreviousData },
  )
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={refetch} />
  if (data === undefined) return <LoadingPanels label="Loading the responses" lines={[4]} />
  return (
    <Panel title="Responses" p={{ base: 'md', sm: 'lg' }}>
      {data.responses.length === 0 ? (
        <Note>No responses yet. They appear here, and on the page of their quote.</Note>
      ) : (
        <ul className={`app-list form-responses${isPlaceholderData ? ' is-old' : ''}`}>
          {data.responses.map((response) => (
            <Response key={response.id} response={response} />
          ))}
        </ul>
      )}
      <Paging
        isFirst={startingAfter === null}
        hasMore={data.hasMore}
        isOld={isPlaceholderData}
        onFirst={() => setStartingAfter(null)}
        onMore={() => setStartingAfter(data.responses.at(-1)?.id ?? null)}
      />
    </Panel>
  )
}

function Response({ response, isOfQuote = false }: { response: ListedResponse; isOfQuote?: boolean }) {
  const { formName, createdAt, quoteId, quoteNumber, answers } = response
  return (
    <li>
      <Note component="div" className="form-response-head">
        {isOfQuote ? <span className="form-response-name">{formName}</span> : null}
        <span>{formatDateTime(createdAt)}</span>
        {isOfQuote || quoteId === null ? null : (
          <Link className="app-link" to={`/quotes/${encodeURIComponent(quoteId)}`}>
            {quoteNumber === null ? 'Quote' : `Quote ${quoteNumber}`}
          </Link>
        )}
      </Note>
      <dl className="form-answers">
        {answers.map(({ title, response: text }, i) => (
          // Titles can repeat.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={i}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** On the pages of a quote and its events. Renders nothing without responses and links. */
export function QuoteAnswers({ quoteId }: { quoteId: string }) {
  const { data } = useGet<QuoteAnswersAnswer>(
    ['quotes', 'answers', quoteId],
    `quotes/${encodeURIComponent(quoteId)}/answers`,
  )
  if (data === undefined || (data.responses.length === 0 && data.links.length === 0)) return null
  return (
    <Panel title="Form answers">
      {data.responses.length === 0 ? (
        <Note>No answers yet. Send the customer the link to a form.</Note>
      ) : (
        <ul className="app-list form-responses">
          {data.responses.map((response) => (
            <Response key={response.id} response={response} isOfQuote />
          ))}
        </ul>
      )}
      {data.links.length === 0 ? null : (
        <ul className="app-list form-links">
          {data.links.map(({ formId, name, url }) => (
            <li key={formId}>
              <Text size="sm" className="app-wrap">
                {name}
              </Text>
              <CopyButton text={url} label="Copy link to booking form" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
