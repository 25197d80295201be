/** The profile of the company. Administrators edit it, members read it. */
import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { CompanyAnswer } from '../../../src/console/company.ts'
import { ONCE_PER_VISIT } from '../call.ts'
import '../company/company.css'
import { ConflictDialog } from '../company/conflict.tsx'
import { LookPanel } from '../company/look-panel.tsx'
import { AddressPanel, IdentityPanel, InvoicesPanel, QuotesPanel, RegionPanel } from '../company/panels.tsx'
import { useKeptProfile, useProfile } from '../company/use-profile.ts'
import { Loading, PanelBones } from '../loading.tsx'
import { useLeaveGuard } from '../quote-edit/leave-guard.ts'
import { useSession } from '../session.ts'
import { Form } from '../ui/form.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { LeaveDialog, SaveBar } from '../ui/unsaved.tsx'
import { useGet } from '../use-get.ts'

export default function Company() {
  const query = useGet<CompanyAnswer>(['company'], 'company', ONCE_PER_VISIT)
  return (
    <>
      <PageHeader title="Company" subtitle="Your profile, the defaults of new quotes, and numbering." />
      <Loaded query={query} skeleton={<CompanyBones />}>
        {(data) => <ProfileForm loaded={data} />}
      </Loaded>
    </>
  )
}

function ProfileForm({ loaded }: { loaded: CompanyAnswer }) {
  const { user } = useSession()
  const form = useProfile(loaded)
  const guard = useLeaveGuard(form.isDirty)
  useKeptProfile(form, guard)
  const isReadOnly = user.role !== 'ADMIN'
  const submit = () => form.save(() => notifications.show({ message: 'Saved the company profile.' }))
  const props = { form, isReadOnly }
  return (
    <Form onSubmit={submit}>
      {isReadOnly ? (
        <Text size="sm" mb="md">
          Only administrators can change the profile.
        </Text>
      ) : null}
      <div className="company-grid">
        <div className="company-column">
          <IdentityPanel {...props} />
          <AddressPanel {...props} />
          <LookPanel {...props} />
        </div>
        <div className="company-column">
          <QuotesPanel {...props} />
          <InvoicesPanel {...props} />
          <RegionPanel {...props} />
        </div>
      </div>
      <SaveBar form={form} action="Save changes" />
      <ConflictDialog form={form} />
      <LeaveDialog guard={guard} record="the company profile" />
    </Form>
  )
}

function CompanyBones() {
  return (
    <Loading label="Loading the company profile">
      <div className="company-grid">
        <div className="company-column">
          <PanelBones lines={6} />
          <PanelBones lines={5} />
        </div>
        <div className="company-column">
          <PanelBones lines={6} />
          <PanelBones lines={4} />
        </div>
      </div>
    </Loading>
  )
}
