/** Signing in, or the shell with the page that the path names. */
import { Center, Loader } from '@mantine/core'
import { Suspense, lazy } from 'react'
import { Route, Routes } from 'react-router'
import { CONSOLE_PAGES } from '../../src/core/console-pages.ts'
import { NotFound } from './pages/not-found.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { SessionContext, useSessionQuery } from './session.ts'
import { Shell } from './shell.tsx'
import { ErrorState } from './ui/states.tsx'

/** Each is loaded when it is first shown. */
const PAGES = {
  dashboard: lazy(() => import('./pages/dashboard.tsx')),
  quotes: lazy(() => import('./pages/quotes.tsx')),
  quote: lazy(() => import('./pages/quote.tsx')),
  quoteEdit: lazy(() => import('./pages/quote-edit.tsx')),
  events: lazy(() => import('./pages/events.tsx')),
  event: lazy(() => import('./pages/event.tsx')),
  settings: lazy(() => import('./pages/settings.tsx')),
  requestLog: lazy(() => import('./pages/request-log.tsx')),
  account: lazy(() => import('./pages/account.tsx')),
} satisfies Record<keyof typeof CONSOLE_PAGES, unknown>

export function App() {
  const { data, error, refetch } = useSessionQuery()
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Waiting />
  if (data.session === null) return <SignIn />
  return (
    <SessionContext value={data.session}>
      <Shell>
        <Suspense fallback={<Waiting />}>
          <Routes>
            {Object.entries(PAGES).map(([name, Page]) => (
              <Route key={name} path={CONSOLE_PAGES[name as keyof typeof PAGES]} element={<Page />} />
            ))}
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Suspense>
      </Shell>
    </SessionContext>
  )
}

function Waiting() {
  return (
    <Center mih="50vh">
      <Loader aria-label="Loading" />
    </Center>
  )
}
