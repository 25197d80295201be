/** There is no company yet. The link to create one is not shown here: only the operator may have it. */
import { Code, Text } from '@mantine/core'
import { LinkFrame } from '../links/link-page.tsx'
import { Note } from '../ui/note.ts'

export function SetupNeeded() {
  return (
    <LinkFrame title="Set up your company">
      <Text size="sm">
        This server has no company yet. Open the setup link that <Code>quoting serve</Code> printed in its
        terminal when it started.
      </Text>
      <Note>
        Cannot find it? Restart the server: it prints a new link each time it starts, until the setup is done.
      </Note>
    </LinkFrame>
  )
}
