import { connect } from 'node:net'
import { it } from 'vitest'
import { createOlderApi } from './support/older.ts'
import { KEY } from './support/quotes.ts'

const { server } = await createOlderApi()

function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (c: Buffer) => (text += c.toString('latin1')))
    socket.on('error', (e) => (text += `!!${e.message}`))
    socket.on('close', () => resolve(text))
    socket.write(bytes)
    setTimeout(() => socket.end(), 150)
  })
}
const K = `x-api-key: ${KEY}\r\nHost: x\r\nConnection: close\r\n`
it('probe', async () => {
  for (const b of [
    `GET /api/quotes HTTP/1.1\r\nx-api-key: ${KEY}\r\nConnection: close\r\n\r\n`,
    `GET /api/quotes HTTP/1.0\r\nx-api-key: ${KEY}\r\n\r\n`,
    `GET http://h/api/quotes HTTP/1.1\r\n${K}\r\n`,
    `POST http://h/api/quotes HTTP/1.1\r\n${K}Content-Length: 0\r\n\r\n`,
    `GET http://h HTTP/1.1\r\n${K}\r\n`,
    `GET HTTP://h/api/quotes HTTP/1.1\r\n${K}\r\n`,
    `GET /%61pi/quotes HTTP/1.1\r\n${K}\r\n`,
    `PUT /%61pi/quotes HTTP/1.1\r\n${K}Content-Length: 0\r\n\r\n`,
    `PUT /api/resources/%zz HTTP/1.1\r\n${K}Content-Length: 0\r\n\r\n`,
    `GET /api/quotes#x HTTP/1.1\r\n${K}\r\n`,
    `PUT /api/quotes#x HTTP/1.1\r\n${K}Content-Length: 0\r\n\r\n`,
    `GET /api/resources/x#y HTTP/1.1\r\n${K}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${K}\r\n`,
    `GET * HTTP/1.1\r\n${K}\r\n`,
    `CONNECT h:80 HTTP/1.1\r\n${K}\r\n`,
    `CONNECT /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `TRACE /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `PROPFIND /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `QUERY /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `PURGE /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `FOO /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `get /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}Expect: nonsense\r\n\r\n`,
    `POST /api/task/create HTTP/1.1\r\n${K}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    `GET /api/quotes HTTP/1.1\r\n${K}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    `POST /api/task/create HTTP/1.1\r\n${K}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello`,
    `POST /api/task/create HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello`,
    `POST /api/task/create HTTP/1.1\r\n${K}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    `POST /api/task/create HTTP/1.1\r\n${K}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}X: a\0b\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `GET /api/quotes HTTP/9.9\r\n${K}\r\n`,
    `GET api/quotes HTTP/1.1\r\n${K}\r\n`,
    `GET /api/quotes/é HTTP/1.1\r\n${K}\r\n`,
    `GET /api/quotes\r\n\r\n`,
    `\x16\x03\x01\x02\x00`,
    `GET /api/quotes HTTP/1.1\r\n${K}Host: y\r\n\r\n`,
    `GET /api/quotes?created_at[%zz]=1 HTTP/1.1\r\n${K}\r\n`,
    `GET /${'a'.repeat(17000)} HTTP/1.1\r\n${K}\r\n`,
    `GET /${'a'.repeat(200000)} HTTP/1.1\r\n${K}\r\n`,
    `GET /${'a'.repeat(2000000)} HTTP/1.1\r\n${K}\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}x: ${'a'.repeat(17000)}\r\n\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}x: ${'a'.repeat(200000)}\r\n\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}x: ${'a'.repeat(2000000)}\r\n\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}${'x: a\r\n'.repeat(2500)}\r\n`,
    `GET /api/quotes HTTP/1.1\r\n${K}Content-Length: 300000\r\n\r\n${'a'.repeat(300000)}`,
    `HEAD /api/quotes HTTP/1.1\r\n${K}\r\n`,
    `HEAD /api/nothing HTTP/1.1\r\n${K}\r\n`,
  ]) {
    console.log(`>>> ${b.slice(0, 60).replaceAll('\r\n', '|')} (${b.length}) ${b.slice(-40).replaceAll('\r\n', '|')}\n${(await raw(b)).replaceAll(/\r\n(x-content|content-sec|referrer|Date|x-request|Keep).*?(?=\r\n)/g, '').replaceAll('\r\n', '|')}`)
  }
})
