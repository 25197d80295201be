/** Reads a password from the terminal or a pipe, or generates one. Never from an argument, which every local process can read. */
import type { Command } from 'commander'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { generatePassword, passwordProblem } from '../core/security/password.ts'

export interface GivenPassword {
  text: string
  /** Generated here, so it must be shown. */
  isGenerated: boolean
}

/** Far more than the longest password. */
const LINE_MAX_BYTES = 10_000

const PASSWORD_HELP = `
The password is never an argument. It is prompted for, or read as one line from standard input if that is not a terminal.`

export function acceptPassword(command: Command, generateHelp: string): Command {
  return command.option('--generate', generateHelp, false).addHelpText('after', PASSWORD_HELP)
}

export async function takePassword(generate: boolean): Promise<GivenPassword> {
  if (generate) return { text: generatePassword(), isGenerated: true }
  const text = process.stdin.isTTY ? await askTwice() : await readLine()
  refuseBad(text)
  return { text, isGenerated: false }
}

function refuseBad(password: string): void {
  const problem = passwordProblem(password)
  if (problem !== null) throw new Error(`the password ${problem}`)
}

/** Nothing typed is shown: the terminal's echo is off, and the line editor writes nowhere. */
async function askTwice(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  // In raw mode Ctrl-C is not a signal. Close first, which turns the echo back on.
  editor.once('SIGINT', () => {
    editor.close()
    process.kill(process.pid, 'SIGINT')
  })
  const lines = editor[Symbol.asyncIterator]()
  const ask = async (prompt: string) => {
    process.stderr.write(prompt)
    const { value, done } = await lines.next()
    process.stderr.write('\n')
    if (done === true) throw new Error('no password was given')
    return value
  }
  try {
    const password = await ask('Password: ')
    refuseBad(password)
    if ((await ask('Repeat the password: ')) !== password) throw new Error('the two passwords differ')
    return password
  } finally {
    editor.close()
  }
}

/** The first line of standard input. */
async function readLine(): Promise<string> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.includes('\n') || bytes.length > LINE_MAX_BYTES) break
  }
  const end = bytes.indexOf('\n')
  const line = end === -1 ? bytes : bytes.subarray(0, end)
  if (line.length === 0)
    throw new Error('no password on standard input: send it as one line, or use --generate')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '')
  } catch (error) {
    throw new Error('the password on standard input is not UTF-8', { cause: error })
  }
}
