/** Sends the form of a link, then opens the dashboard. A failure keeps everything that was typed. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import { beginSession, call, errorsOf } from '../call.ts'
import { useFocusOnError } from '../ui/form.tsx'
import type { LinkKind } from './link-page.tsx'

export function useLinkForm(kind: LinkKind) {
  const navigate = useNavigate()
  const sending = useMutation({
    mutationFn: (body: object) => call('POST', `links/${kind}`, body),
    onSuccess: async () => {
      await beginSession()
      await navigate(CONSOLE_PAGES.dashboard, { replace: true })
    },
  })
  const form = useFocusOnError(sending.error)
  useEffect(() => form.current?.querySelector<HTMLElement>('input:not([type="hidden"])')?.focus(), [form])
  return {
    form,
    send: (body: object) => {
      if (!sending.isPending) sending.mutate(body)
    },
    isSending: sending.isPending,
    ...errorsOf(sending.error),
  }
}
