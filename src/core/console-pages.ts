/** The paths of the console's pages. The server uses them to tell pages from unknown paths, the browser to route. */
export const CONSOLE_PAGES = {
  dashboard: '/',
  quotes: '/quotes',
  quoteNew: '/quotes/new',
  quote: '/quotes/:id',
  quoteEdit: '/quotes/:id/edit',
  events: '/events',
  event: '/events/:id',
  forms: '/forms',
  form: '/forms/:id',
  settings: '/settings',
  company: '/settings/company',
  people: '/settings/people',
  mail: '/settings/mail',
  webhooks: '/settings/webhooks',
  requestLog: '/settings/requests',
  audit: '/audit',
  account: '/account',
} as const

/** Pages that a link opens for a person who is not signed in. */
export const LINK_PAGES = {
  setup: '/setup/:token',
  invite: '/invite/:token',
  reset: '/reset/:token',
} as const
