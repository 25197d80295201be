/** Sends calls to the service and handles their responses and errors. */
import { QueryClient, notifyManager } from '@tanstack/react-query'
import type { SessionAnswer } from '../../src/console/sign-in.ts'
import { randomId } from './random-id.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Why a call failed, in words for the user. */
export class CallError extends Error {
  /** 0 where there was no answer. */
  readonly status: number
  readonly code: string
  /** Messages by field of the request: `lines.0.priceCents`. */
  readonly fields: Record<string, string>

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** The messages of a failed call by field, and the error itself if it belongs to no field. */
export function errorsOf(error: Error | null): { fields: Record<string, string>; failure: Error | null } {
  const fields = error instanceof CallError ? error.fields : {}
  return { fields, failure: Object.keys(fields).length > 0 ? null : error }
}

/** Someone else saved another version first. */
export const isVersionConflict = (error: unknown) =>
  error instanceof CallError && error.status === 409 && error.fields['version'] !== undefined

interface ErrorBody {
  error?: { code?: string; message?: string; details?: Record<string, { _errors: string[] }> }
}

/** The idempotency keys of calls whose response was lost: the same call again does not create a second record. */
const unanswered = new Map<string, string>()

function keyOf(sent: string): { value: string; keep: () => void } {
  const value = unanswered.get(sent) ?? randomId()
  unanswered.delete(sent)
  return { value, keep: () => void unanswered.set(sent, value) }
}

/** `path` is below /console: `quotes/q_1`. Ids in it go through `encodeURIComponent`. */
export async function call<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
  const headers: Record<string, string> = {}
  const init: RequestInit = { method, credentials: 'same-origin', headers }
  const sent = body === undefined ? '' : JSON.stringify(body)
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = sent
  }
  const key = method === 'POST' ? keyOf(`${path} ${sent}`) : null
  if (key !== null) headers['idempotency-key'] = key.value
  // The user of this page: another user may have signed in in another tab.
  const { session } = queryClient.getQueryData<SessionAnswer>(['session']) ?? {}
  if (session != null)
    headers['x-console-user'] = encodeURIComponent(`${session.company.id} ${session.user.id}`)
  const response = await fetch(new URL(`console/${path}`, document.baseURI), init).catch(() => {
    key?.keep()
    throw new CallError(0, 'offline', 'Cannot reach the server. Check your connection and try again.')
  })
  if (response.status >= 500) key?.keep()
  if (response.status === 204) return null as Answer
  const answer = (await response.json().catch(() => ({}))) as Answer & ErrorBody
  if (response.ok) return answer
  const { code = 'server_error', message, details = {} } = answer.error ?? {}
  // The page stays where it is; signing in shows it again.
  if (code === 'not_signed_in' && path !== 'session') void refreshSession()
  throw new CallError(
    response.status,
    code,
    message ?? 'Something went wrong on our side. Try again in a moment.',
    Object.fromEntries(Object.entries(details).map(([field, { _errors }]) => [field, _errors[0] ?? ''])),
  )
}

export const get = <Answer>(path: string) => call<Answer>('GET', path)

/** Notifies other tabs of this browser when a user signs in or out. */
const tabs = new BroadcastChannel('eqs-session')
tabs.addEventListener('message', () => void refreshSession())

/** The signed-in user. Cached data of another user is dropped before anything is shown. */
export async function fetchSession(): Promise<SessionAnswer> {
  const answer = await get<SessionAnswer>('session')
  const now = answer.session
  const { session: before } = queryClient.getQueryData<SessionAnswer>(['session']) ?? {}
  if (before?.user.id !== now?.user.id || before?.company.id !== now?.company.id) forgetAnswers()
  return answer
}

const refreshSession = () => queryClient.refetchQueries({ queryKey: ['session'] })

/** After signing in: this tab and the others. */
export async function beginSession(): Promise<void> {
  await refreshSession()
  // Only pages of this very origin are on the channel.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('changed')
}

function forgetAnswers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

/** After sign-out: drops all cached data. */
export function showSignIn(): void {
  queryClient.setQueryData<SessionAnswer>(['session'], { session: null })
  forgetAnswers()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('changed')
}

// Notifies components of a pending call at once. By default a timer does, and on a busy machine a second Enter arrives
// before it and repeats the call.
notifyManager.setScheduler(queueMicrotask)

const RETRIES = 2

/**
 * Sends calls even if the browser reports no network: a server on the same machine still responds. Otherwise the call
 * fails at once with a message, instead of being sent later.
 */
const NETWORK_MODE = 'always'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: NETWORK_MODE,
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < RETRIES && (!(error instanceof CallError) || error.status === 0 || error.status >= 500),
    },
    mutations: { retry: false, networkMode: NETWORK_MODE },
  },
})

/** For content that must not change while someone edits it: it is loaded once per visit. */
export const ONCE_PER_VISIT = {
  gcTime: 0,
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** After a change that shows on many pages. */
export const refreshAll = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
