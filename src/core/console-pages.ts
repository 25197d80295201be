/** The pages of the application: the server knows them from paths at which there is nothing, the browser shows them. */
export const CONSOLE_PAGES = {
  dashboard: '/',
  quotes: '/quotes',
  quote: '/quotes/:id',
  quoteEdit: '/quotes/:id/edit',
  events: '/events',
  event: '/events/:id',
  settings: '/settings',
  requestLog: '/settings/requests',
  account: '/account',
} as const
