/** All output of commands, one line per call. Stored text cannot imitate our lines: see core/security/printable.ts. */
import { printable } from '../core/security/printable.ts'

/** A line on standard output. */
export function print(line: string): void {
  console.log(printable(line))
}

/** A row of a list: fields separated by tabs. A tab inside a field is escaped. */
export function printRow(fields: readonly string[]): void {
  console.log(fields.map(printable).join('\t'))
}

/** A line on standard error. */
export function printError(line: string): void {
  console.error(printable(line))
}

/** A message of the program itself, on standard error. */
export function report(message: string): void {
  printError(`quoting: ${message}`)
}

/** One line. An aggregate error, such as one per address of a host, has no message itself. */
export function describeError(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  if (/^(EPIPE|ECONNRESET)$/.test((first as NodeJS.ErrnoException).code ?? ''))
    return 'the connection to the database was lost'
  const lines = (first as Error).message.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** Thrown after the findings were printed, to set the exit status. */
export class FindingsError extends Error {}
