/** Requests of the log, latest first: a table where there is room, otherwise a block for each request. */
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { RequestLogAnswer } from '../../../src/console/request-log.ts'
import { copyText } from '../ui/copy-button.tsx'
import { CheckIcon, CopyIcon } from '../ui/icons.tsx'
import './request-table.css'
import {
  decodePath,
  explainDenial,
  formatDuration,
  formatInstant,
  kindOfStatus,
  nameOfStatus,
} from './request-words.ts'

type LoggedRequest = RequestLogAnswer['requests'][number]

const COLUMNS = ['Time', 'Status', 'Request', 'API key', 'Duration', 'Request ID']

/** Roles are explicit, because a table that is laid out as a grid loses its own. */
export function RequestTable({ requests }: { requests: LoggedRequest[] }) {
  return (
    <div className="request-log">
      <div role="table" aria-label="Requests" className="request-log-table">
        <div role="rowgroup" className="request-log-head">
          <div role="row" className="request-log-row">
            {COLUMNS.map((name) => (
              <div key={name} role="columnheader">
                {name}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="request-log-body">
          {requests.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </div>
      </div>
    </div>
  )
}

function RequestRow({ request }: { request: LoggedRequest }) {
  const { at, status, durationUs, keyId, keyName, requestId } = request
  return (
    <div role="row" className="request-log-row">
      <div role="cell" className="request-log-time app-figure" title={at}>
        {formatInstant(at)}
      </div>
      <div role="cell" className="request-log-status">
        <span className="settings-state" data-kind={kindOfStatus(status)}>
          {status} {nameOfStatus(status)}
        </span>
      </div>
      <div role="cell" className="request-log-request">
        <Path {...request} />
        <Failure {...request} />
      </div>
      <div role="cell" className="request-log-key" title={keyName === null ? keyId : `${keyName} (${keyId})`}>
        {keyName ?? keyId}
      </div>
      <div role="cell" className="request-log-duration app-figure">
        {formatDuration(durationUs)}
      </div>
      <div role="cell" className="request-log-request-id">
        <RequestId id={requestId} />
      </div>
    </div>
  )
}

/** One line that ends in an ellipsis. It opens to the whole path, also with the keyboard. */
function Path({ method, path }: LoggedRequest) {
  const [isOpen, setOpen] = useState(false)
  const decoded = decodePath(path)
  return (
    <>
      <button
        type="button"
        className="request-log-path settings-mono"
        aria-expanded={isOpen}
        title={decoded}
        onClick={() => setOpen(!isOpen)}
      >
        <strong>{method}</strong> <bdi>{decoded}</bdi>
      </button>
      {isOpen && decoded !== path ? (
        <div className="request-log-sent settings-mono">
          <span className="request-log-label">Sent as</span> {path}
        </div>
      ) : null}
    </>
  )
}

/** For a refused key, the reason replaces the message: that one is the same for every denial. */
function Failure({ denial, errorCode, errorMessage, errorParam }: LoggedRequest) {
  const message = denial === null ? errorMessage : explainDenial(denial)
  if (errorCode === null && message === null) return null
  return (
    <div className="request-log-error">
      {message === null ? null : <div className="request-log-message">{message}</div>}
      {errorCode === null ? null : (
        <div className="request-log-facts">
          <span>
            <span className="request-log-label">Code</span> <code>{errorCode}</code>
          </span>
          {errorParam === null ? null : (
            <span>
              <span className="request-log-label">Parameter</span> <code>{errorParam}</code>
            </span>
          )}
        </div>
      )}
    </div>
  )
}

/** Copies itself: support asks for it. */
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
    >
      {isCopied ? <CheckIcon /> : <CopyIcon />}
      {isCopied ? null : <VisuallyHidden>Copy request ID</VisuallyHidden>}
      <span className="request-log-id-text">{isCopied ? 'Copied' : shorten(id)}</span>
    </button>
  )
}

/** Our own ids begin alike for minutes; the end tells them apart. */
function shorten(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 4)}…${id.slice(-8)}`
}
