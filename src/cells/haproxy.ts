/** Changes a map of a running haproxy through its socket (`stats socket … level admin`). */
import { createConnection } from 'node:net'
import type { CellMap } from './map.ts'

/** Together shorter than haproxy's buffer, whose default is 16 KiB. */
const COMMANDS_PER_LINE = 50
const TIMEOUT_MS = 5_000

/** Makes the map in haproxy's memory equal to this one. `file` is its name in haproxy's configuration. Returns the number of changes. */
export async function updateHaproxy(socket: string, file: string, map: CellMap): Promise<number> {
  const commands = changesOf(parseMap(await ask(socket, `show map ${file}`), file), map, file)
  for (let i = 0; i < commands.length; i += COMMANDS_PER_LINE) {
    const answer = await ask(socket, commands.slice(i, i + COMMANDS_PER_LINE).join('; '))
    if (answer.trim() !== '') throw new Error(`haproxy refused to change ${file}: ${answer.trim()}`)
  }
  return commands.length
}

function changesOf(present: CellMap, wanted: CellMap, file: string): string[] {
  const commands: string[] = []
  for (const [route, cell] of wanted) {
    const known = present.get(route)
    if (known === undefined) commands.push(`add map ${file} ${route} ${cell}`)
    else if (known !== cell) commands.push(`set map ${file} ${route} ${cell}`)
  }
  for (const route of present.keys()) if (!wanted.has(route)) commands.push(`del map ${file} ${route}`)
  return commands
}

/** Lines of `show map`: an address in memory, the route, the cell. */
function parseMap(text: string, file: string): CellMap {
  const map = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, route, cell] = /^0x[0-9a-f]+ (\S+) (\S+)$/.exec(line) ?? []
    if (route === undefined || cell === undefined)
      throw new Error(`haproxy does not show the map ${file}: ${line}`)
    map.set(route, cell)
  }
  return map
}

/** One line of commands. haproxy closes the connection after its answer. */
async function ask(socket: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket)
    let answer = ''
    connection.setEncoding('utf8')
    connection.setTimeout(TIMEOUT_MS, () => connection.destroy(new Error('haproxy does not answer')))
    connection.on('connect', () => connection.write(`${line}\n`))
    connection.on('data', (chunk: string) => (answer += chunk))
    connection.on('error', reject)
    connection.on('end', () => resolve(answer))
  })
}
