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

/** Thrown after the findings were printed, to set the exit status. */
export class FindingsError extends Error {}
