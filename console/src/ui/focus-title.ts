/** For pages whose name is known only when they are loaded. */
import { useEffect } from 'react'
import { NavigationType, useNavigationType } from 'react-router'

/**
 * After a link inside the application, moves the focus to the heading of the new page. Not if an element already has the
 * focus, nor after Back, where the browser restores it.
 */
export function useFocusOnTitle(): void {
  const hasFollowedLink = useNavigationType() !== NavigationType.Pop
  useEffect(() => {
    const { activeElement } = document
    if (hasFollowedLink && (activeElement === null || activeElement === document.body))
      document.getElementById('page-title')?.focus()
    // Once, when the content is loaded.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
}
