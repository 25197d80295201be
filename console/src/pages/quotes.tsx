import { PageHeader } from '../ui/page-header.tsx'

export default function Quotes() {
  return <PageHeader title="Quotes" />
}
