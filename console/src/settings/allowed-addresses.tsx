/** The IP addresses that can use the company's API keys. The list is edited and saved as a whole. */
import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { NETWORKS_MAX, describeListProblems, listHolds } from '../../../src/core/security/network.ts'
import { CallError, call, queryClient } from '../call.ts'
import { Form } from '../ui/form.tsx'
import { PlusIcon, TrashIcon } from '../ui/icons.tsx'
import { Panel } from '../ui/panel.tsx'

interface AllowedAddressesProps {
  /** As the service has it. */
  saved: string[]
  yourAddress: string | null
}

interface Entry {
  /** For React to know it by. */
  id: number
  text: string
}

export function AllowedAddresses({ saved, yourAddress }: AllowedAddressesProps) {
  const editing = useEditing(saved)
  const { entries, list, problems, isChanged, save } = editing
  const wrong = entries.flatMap((_, i) => (problems[i] == null ? [] : [i + 1]))
  const isConflict = save.error instanceof CallError && save.error.code === 'conflict'
  return (
    <Panel title="Allowed IP addresses" note="IP addresses and CIDR blocks that can use your API keys.">
      <Form onSubmit={() => isChanged && wrong.length === 0 && save.mutate()}>
        <Stack gap="md">
          {entries.length === 0 ? null : (
            <Stack gap="xs" component="ul" className="app-list">
              {entries.map((entry, i) => (
                <AddressRow
                  key={entry.id}
                  entry={entry}
                  number={i + 1}
                  problem={problems[i] ?? null}
                  onChange={(text) => editing.change(entry.id, text)}
                  onRemove={() => editing.remove(entry.id)}
                />
              ))}
            </Stack>
          )}
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              leftSection={<PlusIcon />}
              onClick={() => editing.add('')}
              disabled={entries.length >= NETWORKS_MAX}
            >
              Add IP address
            </Button>
            {yourAddress === null ? null : (
              <Button
                variant="default"
                size="xs"
                leftSection={<PlusIcon />}
                onClick={() => editing.add(yourAddress)}
                disabled={list.includes(yourAddress) || entries.length >= NETWORKS_MAX}
              >
                Add my IP address ({yourAddress})
              </Button>
            )}
          </Group>
          <Consequence list={list} wrong={wrong} isChanged={isChanged} yourAddress={yourAddress} />
          {save.error === null ? null : (
            <Alert color="red" role="alert">
              <Stack gap="xs" align="flex-start">
                {save.error.message}
                {isConflict ? (
                  <Button variant="default" size="xs" onClick={() => void editing.takeTheirs()}>
                    Load the current list
                  </Button>
                ) : null}
              </Stack>
            </Alert>
          )}
          {isChanged ? (
            <Group gap="sm">
              <Button
                type="submit"
                loading={save.isPending}
                disabled={wrong.length > 0}
                aria-describedby={NOTE_ID}
              >
                Save IP addresses
              </Button>
              <Button variant="default" onClick={editing.discard}>
                Discard changes
              </Button>
            </Group>
          ) : null}
        </Stack>
      </Form>
    </Panel>
  )
}

/** Ids of added entries. Saved entries have their index as id. */
let nextId = NETWORKS_MAX * 1_000

function useEditing(saved: string[]) {
  // Null without changes. Then the saved list is shown, including changes of others.
  const [draft, setDraft] = useState<{ entries: Entry[]; was: string[] } | null>(null)
  const was = draft?.was ?? saved
  const entries = draft?.entries ?? saved.map((text, id) => ({ id, text }))
  // An empty line is not filled in yet and not part of the list.
  const list = entries.map(({ text }) => text).filter((text) => text !== '')
  const save = useMutation({
    mutationFn: () => call('PUT', 'settings/allowed-ips', { list, was }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['settings'] })
      setDraft(null)
      notifications.show({ message: 'Allowed IP addresses saved. The change applies within a second.' })
    },
  })
  const begin = (changed: Entry[] | null) => {
    save.reset()
    setDraft(changed === null ? null : { entries: changed, was })
  }
  const problemsOfList = describeListProblems(list)
  let at = 0
  return {
    entries,
    list,
    /** By entry. */
    problems: entries.map(({ text }) => (text === '' ? null : (problemsOfList[at++] ?? null))),
    isChanged: !areEqual(list, was),
    save,
    change: (id: number, text: string) =>
      begin(entries.map((entry) => (entry.id === id ? { id, text: text.trim() } : entry))),
    remove: (id: number) => begin(entries.filter((entry) => entry.id !== id)),
    add: (text: string) => begin([...entries, { id: nextId++, text }]),
    discard: () => begin(null),
    takeTheirs: async () => {
      await queryClient.invalidateQueries({ queryKey: ['settings'] })
      begin(null)
    },
  }
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i])
}

interface AddressRowProps {
  entry: Entry
  number: number
  problem: string | null
  onChange: (text: string) => void
  onRemove: () => void
}

function AddressRow({ entry, number, problem, onChange, onRemove }: AddressRowProps) {
  const input = useRef<HTMLInputElement>(null)
  // A new row gets the focus.
  useEffect(() => {
    if (input.current?.value === '') input.current.focus()
  }, [])
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        ref={input}
        flex={1}
        aria-label={`IP address ${number}`}
        placeholder="203.0.113.7 or 203.0.113.0/24"
        value={entry.text}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: 'settings-mono' }}
      />
      <ActionIcon
        variant="default"
        size={36}
        onClick={onRemove}
        aria-label={`Remove ${entry.text === '' ? `IP address ${number}` : entry.text}`}
      >
        <TrashIcon />
      </ActionIcon>
    </Group>
  )
}

const EVERYBODY: Record<string, string> = { '0.0.0.0/0': 'IPv4', '::/0': 'IPv6' }

const NOTE_ID = 'addresses-note'

interface ConsequenceProps {
  /** The displayed list. */
  list: string[]
  /** Numbers of invalid entries. */
  wrong: number[]
  isChanged: boolean
  yourAddress: string | null
}

/** The effect of the list, or why it cannot be saved. */
function Consequence({ list, wrong, isChanged, yourAddress }: ConsequenceProps) {
  return (
    <Text size="sm" className="settings-note" id={NOTE_ID} aria-live="polite">
      {wrong.length > 0 ? (
        <>
          <strong>Cannot save yet.</strong> {describeWrong(wrong)}
        </>
      ) : (
        <>
          {isChanged ? <strong>After saving: </strong> : null}
          {describeMeaning(list, yourAddress)}
        </>
      )}
    </Text>
  )
}

function describeWrong(wrong: number[]): string {
  const names = new Intl.ListFormat('en').format(wrong.map(String))
  return wrong.length === 1
    ? `Correct or remove IP address ${names}.`
    : `Correct or remove IP addresses ${names}.`
}

function describeMeaning(list: string[], yourAddress: string | null): string {
  const open = list.find((text) => text in EVERYBODY)
  if (list.length === 0) return 'No restrictions. Any IP address can use a valid key.'
  if (open !== undefined) return `${open} allows every ${EVERYBODY[open]} address.`
  return yourAddress !== null && !listHolds(list, yourAddress)
    ? `Only these IP addresses can use your API keys. Yours (${yourAddress}) is not in the list.`
    : 'Only these IP addresses can use your API keys.'
}
