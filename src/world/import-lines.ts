/** Bytes into lines, with bounded memory whatever the bytes are. */
import { isUtf8 } from 'node:buffer'

/** No record comes near it; a line beyond it is a file of another kind, and must not fill the memory. */
const LINE_BYTES_MAX = 16 * 1024 * 1024
const NEWLINE = 10
const BYTE_ORDER_MARK = '\uFEFF'

export interface LineListener {
  onLine: (line: number, text: string) => void
  onUnreadable: (line: number, reason: string) => void
}

export interface LineSplitter {
  add: (chunk: Buffer) => void
  /** The last line need not be ended. */
  end: () => void
  /** How many lines have ended. */
  count: () => number
}

export function splitLines({ onLine, onUnreadable }: LineListener): LineSplitter {
  let count = 0
  /** The beginning of a line whose end has not come yet; dropped once it is too long. */
  let begun: Buffer[] = []
  let begunBytes = 0

  const takeText = (text: string): void => {
    count++
    onLine(count, count === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  }
  const takeLine = (bytes: Buffer): void => {
    if (bytes.length > LINE_BYTES_MAX) onUnreadable(++count, 'is longer than 16 MiB')
    else if (!isUtf8(bytes)) onUnreadable(++count, 'is not valid UTF-8')
    else takeText(bytes.toString('utf8'))
  }
  const takeBegun = (): void => {
    if (begunBytes > LINE_BYTES_MAX) onUnreadable(++count, 'is longer than 16 MiB')
    else takeLine(Buffer.concat(begun))
    begun = []
    begunBytes = 0
  }
  const begin = (bytes: Buffer): void => {
    begunBytes += bytes.length
    if (begunBytes > LINE_BYTES_MAX) begun = []
    else if (bytes.length > 0) begun.push(bytes)
  }
  /** Whole lines without the end of the last one: decoded at once, or one by one when one of them is wrong. */
  const takeLines = (bytes: Buffer): void => {
    if (bytes.length <= LINE_BYTES_MAX && isUtf8(bytes)) {
      for (const text of bytes.toString('utf8').split('\n')) takeText(text)
      return
    }
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      takeLine(bytes.subarray(start, end))
      start = end + 1
    }
    takeLine(bytes.subarray(start))
  }

  return {
    add: (chunk) => {
      const first = chunk.indexOf(NEWLINE)
      if (first === -1) return begin(chunk)
      begin(chunk.subarray(0, first))
      takeBegun()
      const last = chunk.lastIndexOf(NEWLINE)
      if (last > first) takeLines(chunk.subarray(first + 1, last))
      begin(chunk.subarray(last + 1))
    },
    end: () => {
      if (begunBytes > 0) takeBegun()
    },
    count: () => count,
  }
}

/** Half a surrogate pair in a text has no bytes; as a control character it stays the error in JSON that it is. */
export function toBytes(chunk: Buffer | string): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk.replace(/\p{Surrogate}/gu, '\0')) : chunk
}
