/** A request for each call of the application, for tests of them all. Ids are those of the minimal world. */
import { TEST_LOGO } from './logo.ts'
import { CONTENT } from './quote-content.ts'
import { RECORD_REQUESTS } from './record-requests.ts'

const version = '0'.repeat(64)
const DAY = { serviceStartTime: '2026-06-01T16:00:00Z', serviceEndTime: '2026-06-01T22:00:00Z' }

export interface ConsoleRequest {
  /** What `:id` is an id of: that of our company, and of the other. */
  id?: string
  body?: object
  query?: string
}

/** A request for each call that is all right but for the id. */
export const CONSOLE_REQUESTS: Record<string, ConsoleRequest> = {
  'PUT /console/account/password': { body: { current: 'wrong', next: 'another password' } },
  'GET /console/account/sessions': {},
  'DELETE /console/account/sessions/:id': { id: 'session' },
  'GET /console/activity': {},
  'GET /console/activity/people': {},
  'GET /console/timeline': { query: 'object=quote&id=x_q' },
  'GET /console/company': {},
  'GET /console/dashboard': {},
  'GET /console/dashboard/overdue-tasks': {},
  'GET /console/dashboard/overdue-invoices': {},
  'GET /console/agenda': { query: 'from=2026-06-01&to=2026-06-30' },
  'GET /console/agenda/places': {},
  'GET /console/events/:id': { id: 'evt' },
  'GET /console/events/:id/tasks': { id: 'evt' },
  'POST /console/events/:id/tasks/read': { id: 'evt', body: { ids: ['task', 'x_task'] } },
  'POST /console/events/:id/tasks': { id: 'evt', body: { description: 'Sweep' } },
  'PATCH /console/tasks/:id': { id: 'task', body: { completed: true } },
  'DELETE /console/tasks/:id': { id: 'task' },
  'GET /console/quotes': { query: 'search=Of-The-Other-Company' },
  'GET /console/quotes/:id': { id: 'q' },
  'GET /console/lookups': {},
  'GET /console/quote-choices': {},
  'GET /console/contact-choices': { query: 'search=Of-The-Other-Company' },
  'POST /console/quotes': {
    body: {
      lead: { firstName: 'Ada' },
      locationId: 'loc',
      eventAddress: 'Pier 4',
      serviceDays: [{ ...DAY, lines: [{ kind: 'CUSTOM', priceCents: 100 }] }],
      lines: [{ kind: 'SERVICE', serviceId: 'srv' }],
    },
  },
  'POST /console/quotes/:id/duplicate': { id: 'q', body: {} },
  'GET /console/quotes/:id/edit': { id: 'q' },
  'PUT /console/quotes/:id': {
    id: 'q',
    body: { version, content: { ...CONTENT, serviceDays: [{ id: 'day', ...DAY }] } },
  },
  'POST /console/quotes/:id/mail-preview': { id: 'q', body: { mail: { to: 'a@example.com' } } },
  'GET /console/quotes/:id/mails': { id: 'q' },
  'GET /console/quotes/:id/revisions': { id: 'q' },
  'GET /console/quotes/:id/differences': { id: 'q', query: 'from=1&to=1' },
  'POST /console/quotes/:id/sent': { id: 'q', body: { version } },
  'POST /console/quotes/:id/lost': { id: 'q', body: { version, reason: 'PRICE' } },
  'POST /console/quotes/:id/reopened': { id: 'q', body: { version } },
  'POST /console/quotes/:id/booked': { id: 'q', body: { version } },
  'POST /console/definitions/discounts': { body: { name: 'Ten', type: 'PERCENT', percentOff: '10' } },
  'POST /console/definitions/service-charges': {
    body: { name: 'Ten', type: 'PERCENT', percentage: '10', taxable: true },
  },
  'POST /console/definitions/tax-rates': { body: { name: 'Ten', rate: '10' } },
  'GET /console/settings': {},
  'POST /console/settings/keys': { body: { name: 'New' } },
  'POST /console/settings/keys/:id/revoke': { id: 'key', body: {} },
  'PUT /console/settings/company': {
    body: {
      version,
      changes: { name: 'Quay', accentColor: '#1f6f5c', logo: TEST_LOGO, defaultTaxRateId: 'x_tax' },
    },
  },
  'GET /console/settings/people': {},
  'POST /console/settings/people/invitations': { body: { email: 'new@example.com', role: 'MEMBER' } },
  'DELETE /console/settings/people/invitations/:id': { id: 'invitation' },
  'PATCH /console/settings/people/:id': { id: 'user', body: { role: 'ADMIN' } },
  'POST /console/settings/people/:id/reset-link': { id: 'user', body: {} },
  'GET /console/settings/mail': {},
  'POST /console/settings/mail/test': { body: {} },
  'POST /console/mails/:id/retry': { id: 'mail', body: {} },
  'PUT /console/settings/allowed-ips': { body: { list: [], was: [] } },
  'GET /console/request-log': {},
  'GET /console/forms': {},
  'POST /console/forms': { body: { name: 'Ask us', purpose: 'QUOTE' } },
  'GET /console/forms/:id': { id: 'form' },
  'PUT /console/forms/:id': {
    id: 'form',
    body: { version, name: 'Ask us', purpose: 'QUOTE', slug: 'ask-us', allowedOrigins: [], questions: [] },
  },
  'POST /console/forms/:id/publish': { id: 'form', body: { isPublished: false } },
  'POST /console/forms/:id/archive': { id: 'form', body: { isArchived: true } },
  'GET /console/forms/:id/responses': { id: 'form' },
  'GET /console/quotes/:id/answers': { id: 'q' },
  'GET /console/webhooks': {},
  'POST /console/webhooks': { body: { url: 'https://example.com/', types: ['*'] } },
  'PATCH /console/webhooks/:id': { id: 'whe', body: { types: ['*'] } },
  'DELETE /console/webhooks/:id': { id: 'whe' },
  'POST /console/webhooks/:id/rotate': { id: 'whe', body: { overlapHours: 24 } },
  'POST /console/webhooks/:id/replay': { id: 'whe', body: { since: '2026-01-01T00:00:00Z' } },
  'POST /console/webhooks/:id/test': { id: 'whe' },
  'GET /console/webhook-deliveries': { query: 'endpoint=x_whe' },
  'GET /console/webhook-deliveries/:id': { id: 'whd_1' },
  'POST /console/webhook-deliveries/:id/retry': { id: 'whd_1', body: {} },
  ...RECORD_REQUESTS,
}
