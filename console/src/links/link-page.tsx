/** The frame of pages that a link opens, and the state of the link. */
import { Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import type { OpenedLink } from '../../../src/console/links.ts'
import { CallError, call } from '../call.ts'
import { Bone, Loading } from '../loading.tsx'
import { MarkIcon } from '../ui/icons.tsx'
import { ErrorState } from '../ui/states.tsx'

export type LinkKind = 'setup' | 'invite' | 'reset'

export function LinkFrame({
  title,
  width = 400,
  children,
}: {
  title: string
  width?: number
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Event Quoting Service`
  }, [title])
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={width} gap="lg">
        <Group gap="sm" justify="center">
          <MarkIcon />
          <Text fw={650} size="lg">
            Event Quoting Service
          </Text>
        </Group>
        <div className="app-panel">
          <Stack p="xl">
            <Title order={1} size="h2">
              {title}
            </Title>
            {children}
          </Stack>
        </div>
      </Stack>
    </Center>
  )
}

interface LinkPageProps {
  kind: LinkKind
  title: string
  width?: number
  /** What to do if the link does not work. */
  help: ReactNode
  children: (token: string, link: OpenedLink) => ReactNode
}

/** Shows the form once the link is known to work, and otherwise what to do. */
export function LinkPage({ kind, title, width = 400, help, children }: LinkPageProps) {
  const { token = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['link', kind, token],
    queryFn: () => call<OpenedLink>('POST', 'links/open', { kind, token }),
    // Using the link ends it. The form stays until the page is left.
    staleTime: Infinity,
    refetchOnReconnect: false,
  })
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
    <LinkFrame title={title} width={width}>
      {data === undefined ? (
        error === null ? (
          <Loading label="Loading the page">
            <Stack>
              <Bone height={36} />
              <Bone height={36} />
            </Stack>
          </Loading>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        children(token, data)
      )}
    </LinkFrame>
  )
}
