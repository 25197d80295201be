/** Where the application begins. */
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { App } from './app.tsx'
import { queryClient } from './call.ts'
import { listenFirst } from './leave.ts'
import { cssVariables, theme } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// The library that locks scrolling behind a dialog reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
// zod must not test whether it may compile code: the content security policy forbids it, and the browser reports the attempt.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

listenFirst()

const root = document.getElementById('root')
if (root === null) throw new Error('the document has no root')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename={new URL(document.baseURI).pathname}>
          <App />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
