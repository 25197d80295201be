/**
 * The backup file format, inside gzip: a header line; for each table a line with its name and columns, its rows in COPY's
 * format and a line `\.`; finally a line with the checksum of everything before it. Rows never contain a line break or a
 * line `\.`, so the format is unambiguous.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { BackupTable } from '../db/backup-tables.ts'

const FORMAT = 'event-quoting-service backup'
const VERSION = 1
const END_OF_ROWS = Buffer.from('\\.\n')
const END_AFTER_ROW = Buffer.from('\n\\.\n')
const NEWLINE = 10
/** We never write a longer line, so a longer one is not a backup. */
const LINE_MAX = 1_000_000
/** A record of an import may have 16 MiB, and COPY at most doubles it. */
const ROW_MAX = 64 * 1024 * 1024

export interface BackupHeader {
  createdAt: string
  /** The migrations of the database at the time of the backup. */
  migrations: string[]
  /** The generated application secret. Absent if the operator sets the secret. */
  appSecret?: string | undefined
}

const HEADER = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  createdAt: z.string(),
  migrations: z.array(z.string()).min(1),
  appSecret: z.string().optional(),
})
const TABLE = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })
const TRAILER = z.object({ rows: z.int(), sha256: z.string() })

/** Writes the lines around the rows, and calculates the checksum of everything that passes through. */
export function createEncoder() {
  const hash = createHash('sha256')
  let tableName = ''
  let rowCount = 0
  /** The length of the current incomplete row. */
  let rowBytes = 0
  const pass = (bytes: Buffer): Buffer => {
    hash.update(bytes)
    return bytes
  }
  const count = (bytes: Buffer): void => {
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      measure(rowBytes + end - start)
      rowCount++
      rowBytes = 0
      start = end + 1
    }
    rowBytes += bytes.length - start
    measure(rowBytes)
  }
  const measure = (bytes: number): void => {
    if (bytes > ROW_MAX) throw new Error(`a row of ${tableName} is too large for a backup: over 64 MiB`)
  }
  return {
    header: (header: BackupHeader) => pass(encodeLine({ format: FORMAT, version: VERSION, ...header })),
    table: ({ name, columns }: BackupTable) => {
      tableName = name
      return pass(encodeLine({ table: name, columns }))
    },
    rows: (bytes: Buffer) => {
      count(bytes)
      return pass(bytes)
    },
    rowCount: () => rowCount,
    endOfRows: () => pass(END_OF_ROWS),
    trailer: () => encodeLine({ rows: rowCount, sha256: hash.digest('hex') }),
  }
}

function encodeLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** The unverified contents of the header. */
type NamedTable = z.infer<typeof TABLE>

export interface BackupReader {
  header: () => Promise<BackupHeader>
  /** The next table, or null at the end, after the checksum was verified. */
  nextTable: () => Promise<NamedTable | null>
  /** The rows of that table. Read them before the next table. */
  rows: () => AsyncGenerator<Buffer>
  /** The number of rows according to the file; known at the end. */
  rowCount: () => number
}

/** The buffered bytes of the file: a chunk and the start of a row. */
function holdBytes(input: AsyncIterable<Buffer>) {
  const chunks = input[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  // Doubles before joining, so that a long row is not copied with every chunk.
  const readMore = async (): Promise<boolean> => {
    const parts: Buffer[] = []
    let bytes = 0
    while (bytes === 0 || bytes < rest.length) {
      const next = await chunks.next()
      if (next.done === true) break
      parts.push(next.value)
      bytes += next.value.length
    }
    const [first] = parts
    rest = rest.length === 0 && parts.length === 1 && first ? first : Buffer.concat([rest, ...parts])
    return bytes > 0
  }
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
  const readLine = async (): Promise<Buffer> => {
    for (;;) {
      const end = rest.indexOf(NEWLINE)
      if (end >= 0) return take(end + 1)
      if (rest.length > LINE_MAX) throw damaged()
      if (!(await readMore())) throw cutOff()
    }
  }
  return { held: () => rest, readMore, take, readLine }
}

/** Reads in bounded memory. */
export function createReader(input: AsyncIterable<Buffer>): BackupReader {
  const { held, readMore, take, readLine } = holdBytes(input)
  const hash = createHash('sha256')
  let rowCount = 0

  return {
    header: async () => {
      const line = await readLine().catch((error: NodeJS.ErrnoException) =>
        // An error with a code comes from the file system.
        Promise.reject(error.code === undefined ? notBackup(error) : error),
      )
      hash.update(line)
      const header = HEADER.safeParse(parseLine(line)).data
      if (header === undefined) throw notBackup()
      if (header.version !== VERSION) {
        throw new Error(`the backup is of version ${header.version}, and this release reads ${VERSION}`)
      }
      return header
    },
    nextTable: async () => {
      const line = await readLine()
      const value = parseLine(line)
      const table = TABLE.safeParse(value).data
      if (table !== undefined) {
        hash.update(line)
        return table
      }
      const trailer = TRAILER.safeParse(value).data
      if (trailer?.sha256 !== hash.digest('hex') || held().length > 0 || (await readMore())) throw damaged()
      rowCount = trailer.rows
      return null
    },
    rows: async function* () {
      for (;;) {
        // The start of a row, or the end.
        const rest = held()
        const isOver = rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)
        const end = isOver ? 0 : rest.indexOf(END_AFTER_ROW) + 1
        const isLast = isOver || end > 0
        const whole = take(isLast ? end : rest.lastIndexOf(NEWLINE) + 1)
        hash.update(whole)
        if (whole.length > 0) yield whole
        if (isLast) {
          hash.update(take(END_OF_ROWS.length))
          return
        }
        if (held().length > ROW_MAX) throw new BackupError('the backup is damaged: a row has over 64 MiB')
        if (!(await readMore())) throw cutOff()
      }
    },
    rowCount: () => rowCount,
  }
}

function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return null
  }
}

function notBackup(cause?: Error): Error {
  return new Error('this is not a backup that "quoting backup" wrote', { cause })
}

/** The content of a file is not that of a complete backup. */
export class BackupError extends Error {}

export function damaged(cause?: Error): Error {
  return new BackupError('the backup is damaged: its content does not match its checksum', { cause })
}

export function cutOff(cause?: Error): Error {
  return new BackupError('the backup is cut off', { cause })
}
