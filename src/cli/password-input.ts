/** How a password comes in: typed, piped or made. Never as an argument, which every process of the machine can read. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { generatePassword, passwordProblem } from '../core/security/password.ts'

export interface GivenPassword {
  text: string
  /** Made here: whoever asked for it has to see it. */
  isGenerated: boolean
}

/** Far more than the longest password takes. */
const LINE_MAX_BYTES = 10_000

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

/** What is typed is shown nowhere: the terminal's own echo is off, and the editor's goes nowhere. */
async function askTwice(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  // The terminal no longer makes a signal of Ctrl-C. Closed first: it gets its echo back.
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
    if ((await ask('The same again: ')) !== password) throw new Error('the two passwords differ')
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
    throw new Error('there is no password on standard input: give it as one line, or use --generate')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '')
  } catch (error) {
    throw new Error('the password on standard input is not UTF-8', { cause: error })
  }
}
