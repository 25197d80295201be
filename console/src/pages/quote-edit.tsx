/** The page on which a quote is edited. */
import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { refusalOf } from '../../../src/core/quotes/quote-actions.ts'
import type { QuoteEditAnswer } from '../../../src/console/quote-edit.ts'
import { ONCE_PER_VISIT } from '../call.ts'
import { EditorSkeleton } from '../quote-edit/editor-skeleton.tsx'
import { BackToQuote, Editor } from '../quote-edit/editor.tsx'
import { editPath } from '../quote-edit/use-editor.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { TextBone } from '../loading.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useGet } from '../use-get.ts'

export default function QuoteEdit() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useGet<QuoteEditAnswer>(['quote-edit', id], editPath(id), ONCE_PER_VISIT)
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />
  if (data === undefined) {
    return (
      <>
        <PageHeader title="Edit quote" subtitle={<TextBone width={160} />} back={<BackToQuote id={id} />} />
        <EditorSkeleton />
      </>
    )
  }
  const refusal = refusalOf('edit', data.standing)
  if (refusal !== null) {
    return (
      <>
        <PageHeader title="Edit quote" />
        <EmptyState
          title="This quote cannot be edited"
          action={
            <Button component={Link} to={`/quotes/${encodeURIComponent(id)}`} mt="sm">
              Back to quote
            </Button>
          }
        >
          {refusal}
        </EmptyState>
      </>
    )
  }
  return <Editor key={data.id} quote={data} />
}
