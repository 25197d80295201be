/** The signed-in user. */
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Session } from '../../src/console/sign-in.ts'
import { fetchSession } from './call.ts'
import { preferLocale } from './format.ts'

export function useSessionQuery() {
  return useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const answer = await fetchSession()
      preferLocale(answer.session?.company.locale ?? null)
      return answer
    },
    staleTime: 60_000,
  })
}

export const SessionContext = createContext<Session | null>(null)

/** Inside the shell there always is one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no user is signed in')
  return session
}
