/** For pages whose name is known only when they are loaded. */
import { useEffect } from 'react'
import { NavigationType, useNavigationType } from 'react-router'

/**
 * Whoever came by a link inside the application goes on at the name of the new page: what had the focus is gone. Not where
 * something has it already, nor on the way back, which browsers look after.
 */
export function useFocusOnTitle(): void {
  const hasFollowedLink = useNavigationType() !== NavigationType.Pop
  useEffect(() => {
    const { activeElement } = document
    if (hasFollowedLink && (activeElement === null || activeElement === document.body))
      document.getElementById('page-title')?.focus()
    // Once, as soon as the content is there.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
}
