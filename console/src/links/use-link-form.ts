/** Sends the form of a link, then opens the dashboard. A failure keeps everything that was typed. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { CONSOLE_PAGES } from '../../../src/core/console-pages.ts'
import { CallError, beginSession, call } from '../call.ts'
import type { LinkKind } from './link-page.tsx'

export function useLinkForm(kind: LinkKind) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: (body: object) => call('POST', `links/${kind}`, body),
    onSuccess: async () => {
      await beginSession()
      await navigate(CONSOLE_PAGES.dashboard, { replace: true })
    },
  })
  useEffect(() => form.current?.querySelector<HTMLElement>('input:not([type="hidden"])')?.focus(), [])
  const { error } = sending
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  const fields = error instanceof CallError ? error.fields : {}
  return {
    form,
    send: (body: object) => {
      if (!sending.isPending) sending.mutate(body)
    },
    isSending: sending.isPending,
    fields,
    /** An error that belongs to no field. */
    failure: Object.keys(fields).length > 0 ? null : error,
  }
}
