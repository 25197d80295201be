/** The frame of pages that a link opens, and the state of the link. */
import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { OpenedLink } from '../../../src/console/links.ts'
import { CallError, call } from '../call.ts'
import { Bone, Loading } from '../loading.tsx'
import { MarkIcon } from '../ui/icons.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { usePageTitle } from '../ui/page-title.ts'

export type LinkKind = 'setup' | 'invite' | 'reset'

interface LinkFrameProps {
  title: string
  width?: number
  /** Below the panel. */
  footer?: ReactNode
  children: ReactNode
}

export function LinkFrame({ title, width = 400, footer, children }: LinkFrameProps) {
  usePageTitle(title)
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={width} gap="lg">
        <Group gap="sm" justify="center">
          <MarkIcon />
          <Text fw={650} size="lg">
            Event Quoting Service
          </Text>
        </Group>
        <Stack className="app-panel" p="xl">
          <Title order={1} size="h2">
            {title}
          </Title>
          {children}
        </Stack>
        {footer}
      </Stack>
    </Center>
  )
}

interface LinkPageProps extends Pick<LinkFrameProps, 'title' | 'width'> {
  kind: LinkKind
  /** What to do if the link does not work. */
  help: ReactNode
  children: (token: string, link: OpenedLink) => ReactNode
}

/** Shows the form once the link is known to work, and otherwise what to do. */
export function LinkPage({ kind, help, children, ...frame }: LinkPageProps) {
  const { token = '' } = useParams()
  const query = useQuery({
    queryKey: ['link', kind, token],
    queryFn: () => call<OpenedLink>('POST', 'links/open', { kind, token }),
    // Using the link ends it. The form stays until the page is left.
    staleTime: Infinity,
    refetchOnReconnect: false,
  })
  const { error } = query
  if (error instanceof CallError && error.status === 404) {
    return (
      <LinkFrame title="This link does not work">
        <Text size="sm">It was already used, was replaced by a newer one, or has expired.</Text>
        <Text size="sm">{help}</Text>
        <Button component="a" href="." variant="default">
          Go to sign-in
        </Button>
      </LinkFrame>
    )
  }
  return (
    <LinkFrame {...frame}>
      <Loaded
        query={query}
        skeleton={
          <Loading label="Loading the page">
            <Stack>
              <Bone height={36} />
              <Bone height={36} />
            </Stack>
          </Loading>
        }
      >
        {(link) => children(token, link)}
      </Loaded>
    </LinkFrame>
  )
}
