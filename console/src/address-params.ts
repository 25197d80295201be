/** The state of a page is in its URL, so that it can be shared and the back button works. */
import { useHref, useLocation, useSearchParams } from 'react-router'

type Change = (now: URLSearchParams) => URLSearchParams

export interface AddressParams {
  params: URLSearchParams
  /**
   * Begins from the address as it is now. The page is drawn a moment after its address has changed; whoever changes two
   * things within that moment would otherwise lose the first. On the way to another page, nothing is changed any more.
   */
  change: (by: Change, how?: { replace: boolean }) => void
  /** Whether the page is drawn for the address as it is now. */
  isDrawn: () => boolean
}

export function useAddressParams(): AddressParams {
  const [params, setParams] = useSearchParams()
  const { pathname, search } = useLocation()
  const path = useHref(pathname)
  const isOnPage = () => window.location.pathname === path
  return {
    params,
    change: (by, how) => {
      if (isOnPage()) setParams(by(new URLSearchParams(window.location.search)), how)
    },
    isDrawn: () => isOnPage() && window.location.search === search,
  }
}
