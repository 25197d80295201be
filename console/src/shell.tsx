/** The frame of every page: navigation, company and user menu. */
import {
  AppShell,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { CONSOLE_PAGES } from '../../src/core/console-pages.ts'
import { RECORD_PAGES } from '../../src/core/record-kinds.ts'
import { call, showSignIn } from './call.ts'
import { leaveBy } from './leave.ts'
import { useSession } from './session.ts'
import {
  CalendarIcon,
  ChartIcon,
  ChevronIcon,
  ClockIcon,
  CompanyIcon,
  ContactsIcon,
  FormIcon,
  KeyIcon,
  MarkIcon,
  PeopleIcon,
  QuoteIcon,
  TagIcon,
  TeamIcon,
} from './ui/icons.tsx'
import { notifyFailure } from './ui/notify.ts'

interface Place {
  to: string
  label: string
  icon: ReactNode
  adminOnly: boolean
  /** Other pages of the same area. */
  also?: readonly string[]
}

const PLACES: readonly Place[] = [
  { to: CONSOLE_PAGES.dashboard, label: 'Dashboard', icon: <ChartIcon />, adminOnly: false },
  { to: CONSOLE_PAGES.quotes, label: 'Quotes', icon: <QuoteIcon />, adminOnly: false },
  { to: CONSOLE_PAGES.events, label: 'Events', icon: <CalendarIcon />, adminOnly: false },
  { to: RECORD_PAGES.contacts, label: 'Contacts', icon: <ContactsIcon />, adminOnly: false },
  { to: CONSOLE_PAGES.forms, label: 'Forms', icon: <FormIcon />, adminOnly: false },
  { to: RECORD_PAGES.services, label: 'Catalog', icon: <TagIcon />, adminOnly: false, also: ['/catalog'] },
  {
    to: RECORD_PAGES.staff,
    label: 'Team',
    icon: <TeamIcon />,
    adminOnly: false,
    also: [RECORD_PAGES.equipment, RECORD_PAGES.locations],
  },
  { to: CONSOLE_PAGES.company, label: 'Company', icon: <CompanyIcon />, adminOnly: false },
  { to: CONSOLE_PAGES.people, label: 'People', icon: <PeopleIcon />, adminOnly: true },
  { to: CONSOLE_PAGES.settings, label: 'Integrations', icon: <KeyIcon />, adminOnly: true },
  { to: CONSOLE_PAGES.audit, label: 'Audit log', icon: <ClockIcon />, adminOnly: true },
]

export function Shell({ children }: { children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  useEffect(close, [pathname, close])
  const { user } = useSession()
  const current = placeOf(pathname)
  return (
    <AppShell
      header={{ height: 56, offset: true }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="app-skip" href={`${pathname.slice(1)}#main`}>
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap" miw={0} flex={1}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
            <Box component="span" lh={0} flex="none">
              <MarkIcon />
            </Box>
            <CompanyName />
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Main">
        <Stack gap={4}>
          {PLACES.filter(({ adminOnly }) => !adminOnly || user.role === 'ADMIN').map(
            ({ to, label, icon }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                leftSection={icon}
                active={to === current}
                aria-current={to === current ? 'page' : undefined}
              />
            ),
          )}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <div className="app-page">{children}</div>
      </AppShell.Main>
    </AppShell>
  )
}

/** The most specific one: /settings/people is not a part of /settings in the navigation. */
function placeOf(pathname: string): string | undefined {
  const places = PLACES.flatMap(({ to, also = [] }) => [to, ...also].map((prefix) => ({ to, prefix })))
  const here = places.filter(({ prefix }) =>
    prefix === '/' ? pathname === '/' : pathname === prefix || pathname.startsWith(`${prefix}/`),
  )
  return here.toSorted((a, b) => b.prefix.length - a.prefix.length)[0]?.to
}

function CompanyName() {
  const { company } = useSession()
  return (
    <Text fw={650} truncate maw={320} miw={0}>
      {company.name}
    </Text>
  )
}

function UserMenu() {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useMutation({
    mutationFn: () => call('DELETE', 'session'),
    onSuccess: showSignIn,
    onError: notifyFailure('Could not sign out'),
  })
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={`Account: ${user.name}`}>
          <Group gap={6} wrap="nowrap">
            <Text size="sm" truncate maw={{ base: '26vw', sm: 240 }}>
              {user.name}
            </Text>
            <ChevronIcon />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to={CONSOLE_PAGES.account}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            aria-current={colorScheme === scheme}
            fw={colorScheme === scheme ? 650 : undefined}
          >
            {{ light: 'Light', dark: 'Dark', auto: 'System' }[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => leaveBy(() => signOut.mutateAsync().catch(() => false))}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
