import { PageHeader } from '../ui/page-header.tsx'

export default function Event() {
  return <PageHeader title="Event" />
}
