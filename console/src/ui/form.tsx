/** Forms: sending them, their buttons in a dialog, and the focus on the first field with an error. */
import { Button, Group } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { useEffect, useRef } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void
}

/** The page shows what is wrong, so the browser does not. */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

interface FormButtonsProps {
  /** The label of the button that submits: a verb and an object. */
  action: string
  onCancel: () => void
  isBusy: boolean
  isDisabled?: boolean
  isDangerous?: boolean
  /** Another button, between the two. */
  children?: ReactNode
}

export function FormButtons(props: FormButtonsProps) {
  const { action, onCancel, isBusy, isDisabled = false, isDangerous = false, children } = props
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={isBusy}>
        Cancel
      </Button>
      {children}
      <Button type="submit" loading={isBusy} disabled={isDisabled} {...(isDangerous && { color: 'red' })}>
        {action}
      </Button>
    </Group>
  )
}

const focusErrorIn = (parent: ParentNode | null) =>
  parent?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()

/** For a form whose fields are marked after this. */
export function focusFirstError(): void {
  setTimeout(() => focusErrorIn(document.getElementById('main')), 0)
}

/** The ref of the form. Whenever `error` changes, the first field with an error gets the focus: it can be out of sight. */
export function useFocusOnError(error: Error | string | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== null) focusErrorIn(form.current)
  }, [error])
  return form
}
