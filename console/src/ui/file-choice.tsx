/** Asks for a file. The same one can be chosen again. */
import { FileButton } from '@mantine/core'
import type { FileButtonProps } from '@mantine/core'
import { useRef } from 'react'

interface FileChoiceProps extends Pick<FileButtonProps, 'accept' | 'inputProps' | 'children'> {
  onChoose: (file: File) => void
}

export function FileChoice({ onChoose, ...props }: FileChoiceProps) {
  const reset = useRef<() => void>(null)
  const choose = (file: File | null) => {
    // A browser reports no change if the input still has the path, although the content may have been corrected.
    reset.current?.()
    if (file !== null) onChoose(file)
  }
  return <FileButton {...props} resetRef={reset} onChange={choose} />
}
