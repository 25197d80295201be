/** Quiet text: explanations, details, and what an empty list says. */
import { Text } from '@mantine/core'

export const Note = Text.withProps({ size: 'sm', c: 'dimmed' })
