/** Reads a CSV file: UTF-8 or Windows-1252, with commas, semicolons or tabs. */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { withoutMark } from '../core/csv.ts'
import { ApiError } from '../core/requests/errors.ts'

const FILE_MAX_BYTES = 5 * 1024 * 1024
const ROWS_MAX = 10_000
const COLUMNS_MAX = 200
const CELL_MAX_CHARACTERS = 20_000
/** Large enough to be quick, small enough to let other requests on in between. */
const PIECE_CHARACTERS = 64 * 1024

/** How messages name each separator. */
const SEPARATORS = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' } as const

type Separator = keyof typeof SEPARATORS

export interface CsvTable {
  headers: string[]
  /** Each with the number of its line in the file. */
  rows: { line: number; cells: string[] }[]
  separator: Separator
}

export async function readCsv(base64: string): Promise<CsvTable> {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > FILE_MAX_BYTES) throw invalidFile('Choose a file of at most 5 MiB.')
  const text = decode(bytes)
  const separator = findSeparator(text)
  const [first, ...rows] = await parseRows(text, separator)
  if (first === undefined || rows.length === 0)
    throw invalidFile('The file needs a row of headers and at least one more row.')
  if (first.cells.length > COLUMNS_MAX)
    throw invalidFile(`The file has too many columns. Use at most ${COLUMNS_MAX}.`)
  return { headers: first.cells.map((header) => header.trim()), rows, separator }
}

/** Null if a row has no more cells than the headers. Otherwise its cells are probably in the wrong columns. */
export function findExtraCell({ headers, separator }: CsvTable, cells: readonly string[]): string | null {
  const hasExtra = cells.slice(headers.length).some((cell) => cell.trim() !== '')
  if (!hasExtra) return null
  return `The row has more cells than the header row. Put text that contains ${SEPARATORS[separator]} in quotes.`
}

function invalidFile(message: string): ApiError {
  return new ApiError('invalid_body', { message, details: { file: { _errors: [message] } } })
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The one that occurs most often in the first line. */
function findSeparator(text: string): Separator {
  const [line = ''] = text.split(/\r?\n/, 1)
  const count = (separator: string) => line.split(separator).length
  const separators = Object.keys(SEPARATORS) as Separator[]
  return separators.toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

async function parseRows(text: string, separator: string): Promise<CsvTable['rows']> {
  if (text.includes('\0')) throw invalidFile('This is not a CSV file.')
  const rows: CsvTable['rows'] = []
  const parser = Readable.from(pieces(text)).pipe(
    parse({
      delimiter: separator,
      relaxColumnCount: true,
      skipEmptyLines: true,
      maxRecordSize: COLUMNS_MAX * CELL_MAX_CHARACTERS,
      info: true,
    }),
  )
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (record.every((cell) => cell.trim() === '')) continue
      if (rows.length > ROWS_MAX)
        throw invalidFile(
          `The file has too many rows. Import at most ${ROWS_MAX.toLocaleString('en')} at once.`,
        )
      rows.push({ line: info.lines, cells: record.map(withoutMark) })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalidFile(`The file cannot be read: ${error.message.slice(0, 200)}.`)
  }
  return rows
}

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS)
    yield text.slice(start, start + PIECE_CHARACTERS)
}
