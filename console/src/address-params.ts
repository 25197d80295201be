/** The state of a page is in its URL, so that it can be shared and the back button works. */
import { useHref, useLocation, useSearchParams } from 'react-router'

type Change = (now: URLSearchParams) => URLSearchParams

export interface AddressParams {
  params: URLSearchParams
  /**
   * Starts from the current URL, which can be newer than the rendered one. Otherwise the second of two changes before a
   * render would undo the first. Does nothing during a navigation to another page.
   */
  change: (by: Change, how?: { replace: boolean }) => void
  /** Sets one parameter, or removes it without a value. `cursor` is the parameter that is removed, so that the list restarts. */
  set: (name: string, value: string | null | undefined, how?: { replace?: boolean; cursor?: string }) => void
  /** Whether the page is rendered for the current URL. */
  isDrawn: () => boolean
}

export function useAddressParams(): AddressParams {
  const [params, setParams] = useSearchParams()
  const { pathname, search } = useLocation()
  const path = useHref(pathname)
  const isOnPage = () => window.location.pathname === path
  const change: AddressParams['change'] = (by, how) => {
    if (isOnPage()) setParams(by(new URLSearchParams(window.location.search)), how)
  }
  return {
    params,
    change,
    set: (name, value, { replace = false, cursor } = {}) =>
      change(
        (next) => {
          if (cursor !== undefined) next.delete(cursor)
          if (value) next.set(name, value)
          else next.delete(name)
          return next
        },
        { replace },
      ),
    isDrawn: () => isOnPage() && window.location.search === search,
  }
}
