/** Requests of the log, the latest first. */
import { Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { RequestLogAnswer } from '../../../src/http/console/request-log.ts'
import { copyText } from '../ui/copy-button.tsx'
import { CheckIcon, CopyIcon } from '../ui/icons.tsx'
import {
  kindOfStatus,
  describeStatus,
  explainDenial,
  formatDuration,
  formatInstant,
} from './request-words.ts'

type LoggedRequest = RequestLogAnswer['requests'][number]

export function RequestTable({ requests }: { requests: LoggedRequest[] }) {
  return (
    <Table className="settings-table" role="table" borderColor="var(--app-line)">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          <Table.Th role="columnheader">Time</Table.Th>
          <Table.Th role="columnheader">Status</Table.Th>
          <Table.Th role="columnheader">Request</Table.Th>
          <Table.Th role="columnheader">Key</Table.Th>
          <Table.Th role="columnheader" ta="end">
            Duration
          </Table.Th>
          <Table.Th role="columnheader">Request id</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function RequestRow({ request }: { request: LoggedRequest }) {
  const { at, method, path, status, durationUs, keyId, keyName, requestId, denial } = request
  return (
    <Table.Tr role="row">
      <Table.Td role="cell" className="app-figure" title={at}>
        {formatInstant(at)}
      </Table.Td>
      <Table.Td role="cell" data-end>
        <span className="settings-state" data-kind={kindOfStatus(status)}>
          {status} {describeStatus(status)}
        </span>
      </Table.Td>
      <Table.Td role="cell" data-wide className="request-log-path">
        <span className="settings-mono">
          <strong>{method}</strong>{' '}
          {splitPath(path).map(({ at: start, text }) => [<wbr key={start} />, text])}
        </span>
        {denial === null ? null : (
          <Text size="sm" mt={2}>
            {explainDenial(denial)}
          </Text>
        )}
      </Table.Td>
      <Table.Td role="cell" maw={160}>
        <Text size="sm" lineClamp={2} title={keyId} className="app-any-word">
          {keyName ?? keyId}
        </Text>
      </Table.Td>
      <Table.Td role="cell" className="app-figure" data-end ta="end">
        {formatDuration(durationUs)}
      </Table.Td>
      <Table.Td role="cell" data-wide maw={150}>
        <RequestId id={requestId} />
      </Table.Td>
    </Table.Tr>
  )
}

/** Copies itself: it is what support asks for. */
function RequestId({ id }: { id: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(id)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <button
      type="button"
      className="request-log-id settings-mono"
      onClick={() => void copy().catch(() => undefined)}
      title={id}
      aria-label={isCopied ? 'Copied' : `Copy request id ${shorten(id)}`}
    >
      {isCopied ? <CheckIcon /> : <CopyIcon />}
      <span>{isCopied ? 'Copied' : shorten(id)}</span>
    </button>
  )
}

/** A long one is best broken where a parameter begins. */
function splitPath(path: string): { at: number; text: string }[] {
  return [...path.matchAll(/[?&]?[^?&]+|[?&]/g)].map(({ index, 0: text }) => ({ at: index, text }))
}

/** Ids of ours begin alike for minutes: what tells them apart is the end. */
function shorten(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 4)}…${id.slice(-8)}`
}
