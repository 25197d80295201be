/** The first steps of a new company. The list disappears when all of them are done. */
import { VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import type { DashboardAnswer } from '../../../src/console/dashboard.ts'
import { CheckIcon, RowArrow } from '../ui/icons.tsx'
import { Note } from '../ui/note.ts'
import { Panel } from '../ui/panel.tsx'

type Steps = DashboardAnswer['onboarding']

const STEPS: { step: keyof Steps; to: string; label: string; note: string }[] = [
  {
    step: 'profile',
    to: CONSOLE_PAGES.company,
    label: 'Complete your company profile',
    note: 'Address, and your legal name or logo. Customers see it on quotes and invoices.',
  },
  {
    step: 'catalog',
    to: '/catalog/services',
    label: 'Add what you offer',
    note: 'Services and add-ons with their prices.',
  },
  {
    step: 'location',
    to: '/locations',
    label: 'Add your first location',
    note: 'Its time zone sets the times of events.',
  },
  {
    step: 'quote',
    to: '/quotes/new',
    label: 'Write your first quote',
    note: 'Pick a contact, a day and a few lines.',
  },
  {
    step: 'people',
    to: CONSOLE_PAGES.people,
    label: 'Invite people',
    note: 'Colleagues who work with you here.',
  },
  {
    step: 'mail',
    to: CONSOLE_PAGES.mail,
    label: 'Set up email',
    note: 'Quotes, reminders and invitations are sent for you. Without it, you copy links.',
  },
]

/** Email is not required: only the operator of the server can set it up. */
export const isOnboarded = (steps: Steps) => STEPS.every(({ step }) => step === 'mail' || steps[step])

export function Onboarding({ steps }: { steps: Steps }) {
  const done = STEPS.filter(({ step }) => steps[step]).length
  return (
    <Panel
      title="First steps"
      gap="sm"
      actions={
        <Note>
          {done} of {STEPS.length} done
        </Note>
      }
    >
      <ul className="app-list first-steps">
        {STEPS.map(({ step, to, label, note }) => (
          <li key={step} className={steps[step] ? 'first-step' : 'first-step app-row'}>
            <span className="first-step-mark" data-done={steps[step]}>
              {steps[step] ? <CheckIcon /> : null}
            </span>
            <div>
              {steps[step] ? (
                <Note td="line-through">
                  {label}
                  <VisuallyHidden> (done)</VisuallyHidden>
                </Note>
              ) : (
                <>
                  <Link className="app-row-name" to={to}>
                    {label}
                  </Link>
                  <Note>{note}</Note>
                </>
              )}
            </div>
            {steps[step] ? null : <RowArrow />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
