import { PageHeader } from '../ui/page-header.tsx'

export default function RequestLog() {
  return <PageHeader title="RequestLog" />
}
