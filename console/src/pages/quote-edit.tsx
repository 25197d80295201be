import { PageHeader } from '../ui/page-header.tsx'

export default function QuoteEdit() {
  return <PageHeader title="QuoteEdit" />
}
