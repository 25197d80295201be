/** Calls of the service, and what becomes of their answers. */
import { QueryClient } from '@tanstack/react-query'
import type { SessionAnswer } from '../../src/http/console/sign-in.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Why a call failed, in words for the user. */
export class CallError extends Error {
  /** 0 where there was no answer. */
  readonly status: number
  readonly code: string
  /** Messages by field of what was sent: `lines.0.priceCents`. */
  readonly fields: Record<string, string>

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: Record<string, { _errors: string[] }> }
}

/** `path` is below /console: `quotes/q_1`. Ids in it go through `encodeURIComponent`. */
export async function call<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
  const init: RequestInit = { method, credentials: 'same-origin' }
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' }
    init.body = JSON.stringify(body)
  }
  const response = await fetch(new URL(`console/${path}`, document.baseURI), init).catch(() => {
    throw new CallError(0, 'offline', 'The service cannot be reached. Check your connection and try again.')
  })
  if (response.status === 204) return null as Answer
  const answer = (await response.json().catch(() => ({}))) as Answer & ErrorBody
  if (response.ok) return answer
  const { code = 'server_error', message, details = {} } = answer.error ?? {}
  // The page stays where it is; signing in shows it again.
  if (code === 'not_signed_in' && path !== 'session') showSignIn()
  throw new CallError(
    response.status,
    code,
    message ?? 'Something went wrong on our side. Try again in a moment.',
    Object.fromEntries(Object.entries(details).map(([field, { _errors }]) => [field, _errors[0] ?? ''])),
  )
}

export const get = <Answer>(path: string) => call<Answer>('GET', path)

/** Nobody is signed in any more, and nothing of what was shown is kept. */
export function showSignIn(): void {
  queryClient.setQueryData<SessionAnswer>(['session'], { session: null })
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

const RETRIES = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) =>
        failures < RETRIES && (!(error instanceof CallError) || error.status === 0 || error.status >= 500),
    },
    mutations: { retry: false },
  },
})
