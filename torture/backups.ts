/** Backups of a database under writes are restored and compared. Invalid files are rejected. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { restoreBackup, startEmbedded, withClient } from './built.ts'
import { runCommand, startServer } from './command.ts'
import type { Figure, Item, Settings } from './item.ts'
import { createRandom } from './random.ts'

const KEY = 'eqs_demo_harborlight'
const WRITERS = 4

export const backups: Item = {
  name: 'backups',
  title: 'Backup and restore',
  run: async (settings) => [...(await backUpUnderWrites(settings)), ...(await rejectInvalid(settings))],
}

interface Writing {
  acknowledged: string[]
  stop: () => Promise<void>
}

/** Creates tasks with idempotency keys: two rows in one transaction, in tables that a backup reads at different times. */
function writeTasks(url: string): Writing {
  const acknowledged: string[] = []
  const ending = new AbortController()
  const write = async (writer: number) => {
    for (let i = 0; !ending.signal.aborted; i++) {
      const description = `torture ${writer}-${i}`
      const answer = await fetch(`${url}/api/task/create`, {
        method: 'POST',
        headers: {
          'x-api-key': KEY,
          'content-type': 'application/json',
          'idempotency-key': `t-${writer}-${i}`,
        },
        body: JSON.stringify({ eventId: 'event_0246_1', description }),
      })
      await answer.arrayBuffer()
      if (answer.status === 201) acknowledged.push(description)
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  return {
    acknowledged,
    stop: async () => {
      ending.abort()
      await Promise.all(writers)
    },
  }
}

/** All lines except the time of the backup and the checksum. */
const rowsOf = (file: string) => gunzipSync(readFileSync(file)).toString().split('\n').slice(1, -2).join('\n')

const countIn = (rows: string, table: string, pattern: RegExp) =>
  (rows.split(`{"table":"${table}"`)[1]?.split('\n\\.\n')[0] ?? '')
    .split('\n')
    .filter((row) => pattern.test(row)).length

async function backUpUnderWrites({ folder, quick }: Settings): Promise<Figure[]> {
  const rounds = quick ? 3 : 10
  const source = { DATA_DIR: join(folder, 'source') }
  const server = await startServer(['--demo'], source)
  const writing = writeTasks(server.url)
  let [lost, torn, different] = [0, 0, 0]
  try {
    for (let round = 0; round < rounds; round++) {
      const [file, again] = [join(folder, `${round}.gz`), join(folder, `${round}-again.gz`)]
      const before = [...writing.acknowledged]
      await runCommand(['backup', file], source)
      const target = { DATA_DIR: join(folder, `restored-${round}`) }
      await runCommand(['restore', file], target)
      await runCommand(['backup', again], target)
      const rows = rowsOf(again)
      if (rows !== rowsOf(file)) different++
      if (countIn(rows, 'tasks', /\ttorture /) !== countIn(rows, 'idempotency_records', /\tt-/)) torn++
      const kept = new Set(rows.match(/torture \d+-\d+/g))
      lost += before.filter((description) => !kept.has(description)).length
    }
    await writing.stop()
    const target = { DATA_DIR: join(folder, 'restored') }
    await runCommand(['backup', join(folder, 'last.gz')], source)
    await runCommand(['restore', join(folder, 'last.gz')], target)
    const isSame = (await runCommand(['export'], source)) === (await runCommand(['export'], target))
    const detail = `${rounds} backups under ${WRITERS} writers, ${writing.acknowledged.length} tasks acknowledged`
    return [
      {
        name: 'tasks acknowledged before a backup, but not in it',
        value: lost,
        goal: '0',
        pass: lost === 0,
        detail,
      },
      { name: 'backups that are not from one snapshot', value: torn, goal: '0', pass: torn === 0 },
      {
        name: 'restored databases that differ in any row',
        value: different,
        goal: '0',
        pass: different === 0,
      },
      {
        name: 'export of the restored database',
        value: isSame ? 'the same' : 'different',
        goal: 'the same, byte for byte',
        pass: isSame,
      },
    ]
  } finally {
    await writing.stop().catch(() => undefined)
    await server.stop()
  }
}

async function rejectInvalid({ folder, quick, seed }: Settings): Promise<Figure[]> {
  const tries = quick ? 20 : 200
  const random = createRandom(seed)
  const file = readFileSync(join(folder, 'last.gz'))
  const server = await startEmbedded(join(folder, 'broken'))
  let accepted = 0
  try {
    for (let i = 0; i < tries; i++) {
      // The first ten bytes are the gzip header.
      const place = random.between(10, file.length - 1)
      const changed = Buffer.from(i % 2 === 0 ? file.subarray(0, place) : file)
      if (i % 2 === 1) changed.writeUInt8((changed[place] ?? 0) ^ (1 << random.between(0, 7)), place)
      const wasRestored = await restoreBackup(server.connection, Readable.from([changed])).then(
        () => true,
        () => false,
      )
      const left = await withClient(server.connection, (client) =>
        client.query(`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`),
      )
      if (wasRestored || left.rowCount !== 0) accepted++
    }
    // Otherwise all files could be rejected for another reason.
    await restoreBackup(server.connection, Readable.from([file]))
  } finally {
    await server.stop()
  }
  const detail = `${tries} files, truncated or with one bit changed`
  return [
    {
      name: 'invalid backups accepted, or with remaining data',
      value: accepted,
      goal: '0',
      pass: accepted === 0,
      detail,
    },
  ]
}
