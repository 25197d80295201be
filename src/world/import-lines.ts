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

  /** `isKnownUtf8` spares asking again. Line by line, since one rare letter makes a whole text take twice the memory. */
  const takeLine = (bytes: Buffer, start: number, end: number, isKnownUtf8: boolean): void => {
    count++
    if (end - start > LINE_BYTES_MAX) {
      onUnreadable(count, 'is longer than 16 MiB')
    } else if (isKnownUtf8 || isUtf8(bytes.subarray(start, end))) {
      const text = bytes.toString('utf8', start, end)
      onLine(count, count === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
    } else {
      onUnreadable(count, 'is not valid UTF-8')
    }
  }
  const begin = (bytes: Buffer): void => {
    begunBytes += bytes.length
    if (begunBytes > LINE_BYTES_MAX) begun = []
    else if (bytes.length > 0) begun.push(bytes)
  }
  const takeBegun = (): void => {
    if (begunBytes > LINE_BYTES_MAX) onUnreadable(++count, 'is longer than 16 MiB')
    else takeLine(Buffer.concat(begun), 0, begunBytes, false)
    begun = []
    begunBytes = 0
  }

  return {
    add: (chunk) => {
      let end = chunk.indexOf(NEWLINE)
      if (end === -1) return begin(chunk)
      begin(chunk.subarray(0, end))
      takeBegun()
      const last = chunk.lastIndexOf(NEWLINE)
      const areUtf8 = isUtf8(chunk.subarray(end, last))
      while (end < last) {
        const start = end + 1
        end = chunk.indexOf(NEWLINE, start)
        takeLine(chunk, start, end, areUtf8)
      }
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
