/** HOST=localhost with two addresses, as on most machines: 127.0.0.1 and ::1. */
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connectionUrl } from '../../test/support/connections.ts'
import { createDatabase } from '../../test/support/database.ts'
import { startCommand } from '../../test/support/process.ts'

/** Not every machine has IPv6, but each supported one has more than one loopback address. */
const TWO_ADDRESSES = `
  import dns from 'node:dns'
  import { syncBuiltinESMExports } from 'node:module'
  const all = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  const { lookup } = dns
  dns.lookup = (host, options, done) => {
    if (host !== 'localhost') return lookup(host, options, done)
    if (options?.all) return process.nextTick(done, null, all)
    process.nextTick(done ?? options, null, '127.0.0.2', 4)
  }
  dns.promises.lookup = async (host, options) => (options?.all ? all : all[0])
  syncBuiltinESMExports()`

const isOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

describe('HOST=localhost', () => {
  it('listens on one address, so that no second server without limits exists', async () => {
    const { connection } = await createDatabase()
    const serving = startCommand(['serve'], {
      DATABASE_URL: connectionUrl(connection),
      APP_SECRET: 'a secret of thirty-two characters',
      HOST: 'localhost',
      PORT: '0',
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TWO_ADDRESSES)}`,
    })
    const [, port] = await serving.waitFor(/API at http:\/\/localhost:(\d+)\/api/)
    expect(await isOpen('127.0.0.2', Number(port))).toBe(true)
    expect(await isOpen('127.0.0.1', Number(port))).toBe(false)
    serving.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })
})
