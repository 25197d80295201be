import { PageHeader } from '../ui/page-header.tsx'

export default function Quote() {
  return <PageHeader title="Quote" />
}
