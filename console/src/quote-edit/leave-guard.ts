/** Asks before edits are lost: by a link, Back, signing out or closing the tab. */
import { useEffect, useRef, useState } from 'react'
import { askBeforeLeaving, listenBeforeRouter } from '../leave.ts'
import type { Way } from '../leave.ts'

export interface LeaveGuard {
  /** The user wants to leave and must confirm it. */
  isAsking: boolean
  stay: () => void
  leave: () => void
  /** Leaves, after confirmation if needed. */
  ask: (leave: Way) => void
  /** There are no more edits to lose. */
  release: () => void
  isReleased: () => boolean
}

interface RouterState {
  idx?: number
}

/** The router stores its history position here. */
const placeOf = (state: unknown): number => (state as RouterState | null)?.idx ?? 0

/** Otherwise it would cover the question, since it does not get the click that closes it. */
function closeMenu(link: HTMLElement): void {
  if (link.closest('[role="menu"]') !== null)
    link.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
}

export function useLeaveGuard(isActive: boolean): LeaveGuard {
  const [leave, setLeave] = useState<Way | null>(null)
  const isReleased = useRef(false)
  const release = () => {
    isReleased.current = true
  }
  const goBy = async (way: Way | null) => {
    // The page is still open, so there are still edits to lose.
    if ((await way?.()) === false) isReleased.current = false
  }

  useEffect(() => {
    if (!isActive) return undefined
    const listening = new AbortController()
    const { signal } = listening
    const place = placeOf(history.state)
    let isReturning = false

    const askUnload = (event: BeforeUnloadEvent) => {
      if (!isReleased.current) event.preventDefault()
    }
    const askClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (isReleased.current || link === null || !isPlain || link.target === '_blank') return
      if (link.origin === location.origin && link.pathname === location.pathname) return
      event.preventDefault()
      event.stopPropagation()
      closeMenu(link)
      // A link in a menu is gone by then.
      setLeave(() => () => (link.isConnected ? link.click() : location.assign(link.href)))
    }
    // The history has moved already: it is moved back, and the router is not told of either.
    const askReturn = (event: PopStateEvent) => {
      if (isReleased.current) return
      const steps = placeOf(event.state) - place
      if (isReturning) isReturning = false
      else if (steps === 0) return
      else {
        isReturning = true
        history.go(-steps)
        setLeave(() => () => history.go(steps))
      }
      event.stopImmediatePropagation()
    }
    addEventListener('beforeunload', askUnload, { signal })
    document.addEventListener('click', askClick, { capture: true, signal })
    listenBeforeRouter(askReturn)
    askBeforeLeaving((way) => (isReleased.current ? way() : setLeave(() => way)))
    return () => {
      listening.abort()
      listenBeforeRouter(null)
      askBeforeLeaving(null)
    }
  }, [isActive])

  return {
    isAsking: leave !== null,
    stay: () => setLeave(null),
    leave: () => {
      release()
      setLeave(null)
      void goBy(leave)
    },
    ask: (how) => {
      if (isActive) setLeave(() => how)
      else how()
    },
    release,
    isReleased: () => isReleased.current,
  }
}
