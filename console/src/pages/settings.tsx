import { PageHeader } from '../ui/page-header.tsx'

export default function Settings() {
  return <PageHeader title="Settings" />
}
