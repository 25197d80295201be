import { PageHeader } from '../ui/page-header.tsx'

export default function Events() {
  return <PageHeader title="Events" />
}
