/** The page of a link, signing in, or the shell with the page that the path names. */
import { Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Route, Routes, matchRoutes, useLocation } from 'react-router'
import { CONSOLE_PAGES, LINK_PAGES } from '../../src/core/console-pages.ts'
import { RECORD_PAGES } from '../../src/core/record-kinds.ts'
import type { RecordPath } from '../../src/core/record-kinds.ts'
import { lazyPage } from './lazy-page.tsx'
import { PageBones } from './loading.tsx'
import { NotFound } from './pages/not-found.tsx'
import { SetupNeeded } from './pages/setup-needed.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SessionContext, useSessionQuery } from './session.ts'
import { Shell } from './shell.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { ErrorState } from './ui/states.tsx'

/** Each is loaded when it is first shown. */
const PAGES = {
  dashboard: lazyPage(() => import('./pages/dashboard.tsx')),
  quotes: lazyPage(() => import('./pages/quotes.tsx')),
  quoteNew: lazyPage(() => import('./pages/quote-new.tsx')),
  quote: lazyPage(() => import('./pages/quote.tsx')),
  quoteEdit: lazyPage(() => import('./pages/quote-edit.tsx')),
  events: lazyPage(() => import('./pages/events.tsx')),
  event: lazyPage(() => import('./pages/event.tsx')),
  forms: lazyPage(() => import('./pages/forms.tsx')),
  form: lazyPage(() => import('./pages/form.tsx')),
  settings: lazyPage(() => import('./pages/settings.tsx')),
  company: lazyPage(() => import('./pages/company.tsx')),
  people: lazyPage(() => import('./pages/people.tsx')),
  mail: lazyPage(() => import('./pages/mail.tsx')),
  webhooks: lazyPage(() => import('./pages/webhooks.tsx')),
  requestLog: lazyPage(() => import('./pages/request-log.tsx')),
  audit: lazyPage(() => import('./pages/audit.tsx')),
  account: lazyPage(() => import('./pages/account.tsx')),
} satisfies Record<keyof typeof CONSOLE_PAGES, unknown>

/** For people who are not signed in. */
const LINKS = {
  setup: lazyPage(() => import('./pages/setup.tsx')),
  invite: lazyPage(() => import('./pages/invite.tsx')),
  reset: lazyPage(() => import('./pages/reset.tsx')),
} satisfies Record<keyof typeof LINK_PAGES, unknown>

const Records = lazyPage(() => import('./pages/records.tsx'))

const RECORD_ROUTES = (Object.entries(RECORD_PAGES) as [RecordPath, string][]).flatMap(([path, page]) => [
  <Route key={page} path={page} element={<Records path={path} page="list" />} />,
  <Route key={`${page}/:id`} path={`${page}/:id`} element={<Records path={path} page="record" />} />,
])

/** The page that the address names, loaded while the server says who is signed in. */
const ROUTES = [
  ...Object.entries(PAGES).map(([name, Page]) => ({ path: CONSOLE_PAGES[name as keyof typeof PAGES], Page })),
  ...Object.values(RECORD_PAGES).flatMap((page) =>
    [page, `${page}/:id`].map((path) => ({ path, Page: Records })),
  ),
]
const [first] = matchRoutes(ROUTES, location.pathname, new URL(document.baseURI).pathname) ?? []
// A page that cannot be loaded shows its error when it is rendered.
const firstPage = first?.route.Page.load().catch(() => undefined)

function useFirstPage(): boolean {
  const [isLoaded, setLoaded] = useState(firstPage === undefined)
  useEffect(() => {
    void firstPage?.finally(() => setLoaded(true))
  }, [])
  return isLoaded
}

export function App() {
  return (
    <Routes>
      {Object.entries(LINKS).map(([name, Page]) => (
        <Route
          key={name}
          path={LINK_PAGES[name as keyof typeof LINKS]}
          element={
            <PageBoundary>
              <Page />
            </PageBoundary>
          }
        />
      ))}
      <Route path="*" element={<Console />} />
    </Routes>
  )
}

function Console() {
  const { data, error, refetch } = useSessionQuery()
  const isPageLoaded = useFirstPage()
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={refetch} />
  if (data === undefined) return <Starting />
  if (data.needsSetup === true) return <SetupNeeded />
  if (data.session === null) return <SignIn mailsResets={data.mailsResets === true} />
  if (!isPageLoaded) return <Starting />
  return (
    // When another user signs in, nothing of the previous user stays on the page, not even typed text.
    <SessionContext key={`${data.session.company.id} ${data.session.user.id}`} value={data.session}>
      <Shell>
        <PageBoundary>
          <Routes>
            {Object.entries(PAGES).map(([name, Page]) => (
              <Route key={name} path={CONSOLE_PAGES[name as keyof typeof PAGES]} element={<Page />} />
            ))}
            {RECORD_ROUTES}
            <Route path="*" element={<NotFound />} />
          </Routes>
        </PageBoundary>
      </Shell>
    </SessionContext>
  )
}

/** A page that cannot be loaded or shown leaves the way to the others open. */
function PageBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation()
  return (
    <ErrorBoundary place={key}>
      <Suspense fallback={<PageBones />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

/** Until it is known who is signed in, neither the shell nor the sign-in form can be shown. */
function Starting() {
  return (
    <div className="app-page" style={{ margin: '4.5rem auto', padding: '0 1rem' }}>
      <PageBones />
    </div>
  )
}
