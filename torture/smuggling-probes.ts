/** Requests with an end that two parsers can interpret differently. */
import { GOOD_KEY } from './service.ts'

export interface Probe {
  name: string
  /** The bytes that are sent, with the ids of the request and of the request hidden in it. */
  bytes: (ids: { own: string; hidden: string }) => string
  /** Whether the body is incomplete, so that no response is due. */
  isUnfinished?: boolean
  /** Proxies that end the request before the hidden one, and forward the hidden one as the next request. */
  isTwoTo?: readonly string[]
}

const lengthOf = (text: string) => Buffer.byteLength(text, 'latin1')

export function request(line: string, id: string, headers: readonly string[], body = ''): string {
  const always = ['host: quoting', `x-api-key: ${GOOD_KEY}`, `x-request-id: ${id}`]
  return [line, ...always, ...headers, '', body].join('\r\n')
}

const POST = 'POST /api/task/create HTTP/1.1'
const hiddenIn = (id: string) => request('GET /api/resources HTTP/1.1', id, [])
const chunked = (text: string) => `${lengthOf(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`

/** The hidden request is part of the body by its length, but not by its chunks. */
function endsEarlyInChunks(name: string, ...encoding: string[]): Probe {
  return {
    name: `length and ${name}`,
    bytes: ({ own, hidden }) => {
      const body = `0\r\n\r\n${hiddenIn(hidden)}`
      return request(POST, own, [`content-length: ${lengthOf(body)}`, ...encoding], body)
    },
  }
}

/** The hidden request is part of the body by its chunks, but not by its length. */
function endsEarlyByLength(name: string, ...headers: string[]): Probe {
  return {
    name,
    bytes: ({ own, hidden }) => request(POST, own, headers, chunked(hiddenIn(hidden))),
  }
}

/** The hidden request is the whole body. Its length in these headers is `LENGTH`. */
function withLength(name: string, headers: readonly string[], line = POST): Probe {
  return {
    name,
    bytes: ({ own, hidden }) => {
      const body = hiddenIn(hidden)
      return request(
        line,
        own,
        headers.map((header) => header.replaceAll('LENGTH', String(lengthOf(body)))),
        body,
      )
    },
  }
}

/** The hidden request as an unusual chunked body. */
function inChunks(name: string, write: (text: string, size: string) => string): Probe {
  return {
    name,
    bytes: ({ own, hidden }) => {
      const text = hiddenIn(hidden)
      return request(POST, own, ['transfer-encoding: chunked'], write(text, lengthOf(text).toString(16)))
    },
  }
}

/** An unusual request without a hidden one. */
function alone(name: string, line: string, ...headers: string[]): Probe {
  return { name, bytes: ({ own }) => request(line, own, headers) }
}

const GET = 'GET /api/resources HTTP/1.1'

export const PROBES: readonly Probe[] = [
  endsEarlyInChunks('chunked', 'transfer-encoding: chunked'),
  endsEarlyInChunks('CHUNKED', 'Transfer-Encoding: CHUNKED'),
  endsEarlyInChunks('xchunked', 'transfer-encoding: xchunked'),
  endsEarlyInChunks('a blank before the colon', 'transfer-encoding : chunked'),
  endsEarlyInChunks('a tab before the value', 'transfer-encoding:\tchunked'),
  endsEarlyInChunks('a vertical tab before the value', 'transfer-encoding:\x0bchunked'),
  endsEarlyInChunks('a NUL in the value', 'transfer-encoding: chunked\0'),
  endsEarlyInChunks('a NUL in the name', 'transfer-encoding\0: chunked'),
  endsEarlyInChunks('a blank before the name', ' transfer-encoding: chunked'),
  endsEarlyInChunks('a value on the next line', 'transfer-encoding:', ' chunked'),
  endsEarlyInChunks('a colon on the next line', 'transfer-encoding', ' : chunked'),
  endsEarlyInChunks('chunked after a bare LF', 'x-a: b\ntransfer-encoding: chunked'),
  endsEarlyInChunks('chunked after a bare CR', 'x-a: b\rtransfer-encoding: chunked'),
  endsEarlyInChunks('chunked, then another', 'transfer-encoding: chunked', 'transfer-encoding: x'),
  endsEarlyInChunks('another, then chunked', 'transfer-encoding: x', 'transfer-encoding: chunked'),
  endsEarlyInChunks('chunked twice', 'transfer-encoding: chunked, chunked'),
  endsEarlyInChunks('chunked, identity', 'transfer-encoding: chunked, identity'),
  endsEarlyInChunks('identity, chunked', 'transfer-encoding: identity, chunked'),
  endsEarlyInChunks('gzip, chunked', 'transfer-encoding: gzip, chunked'),
  endsEarlyInChunks('quoted chunked', 'transfer-encoding: "chunked"'),
  endsEarlyInChunks('an empty encoding', 'transfer-encoding:'),
  endsEarlyInChunks('an underscore', 'transfer_encoding: chunked'),
  endsEarlyInChunks(
    'chunked that is not passed on',
    'connection: transfer-encoding',
    'transfer-encoding: chunked',
  ),
  endsEarlyByLength('chunked and a shorter length', 'content-length: 4', 'transfer-encoding: chunked'),
  endsEarlyByLength('a shorter length after chunked', 'transfer-encoding: chunked', 'content-length: 4'),
  endsEarlyByLength('chunked and length 0', 'content-length: 0', 'transfer-encoding: chunked'),
  endsEarlyByLength('chunked of HTTP/1.0', 'transfer-encoding: chunked', 'connection: keep-alive'),
  withLength('two lengths, 0 first', ['content-length: 0', 'content-length: LENGTH']),
  withLength('two lengths, 0 last', ['content-length: LENGTH', 'content-length: 0']),
  withLength('two equal lengths', ['content-length: LENGTH', 'content-length: LENGTH']),
  withLength('a list of lengths', ['content-length: LENGTH, 0']),
  withLength('a list of equal lengths', ['content-length: LENGTH, LENGTH']),
  withLength('a length with a plus', ['content-length: +LENGTH']),
  withLength('a negative length', ['content-length: -LENGTH']),
  withLength('a length with leading zeros', ['content-length: 000LENGTH']),
  withLength('a hexadecimal length', ['content-length: 0x10']),
  withLength('a length with a fraction', ['content-length: LENGTH.0']),
  withLength('a length with an exponent', ['content-length: 1e1']),
  withLength('a length with a blank inside', ['content-length: 1 0']),
  withLength('an empty length', ['content-length:']),
  // The length overflows to 0 in haproxy 2.6, which forwards the header unchanged, and the service rejects it.
  {
    ...withLength('a length beyond 64 bits', ['content-length: 18446744073709551617']),
    isTwoTo: ['haproxy'],
  },
  withLength('a blank before the colon of the length', ['content-length : LENGTH']),
  {
    ...withLength('a length folded into another header', [
      'x-a: b',
      ' content-length: LENGTH',
      'content-length: 0',
    ]),
    isTwoTo: ['haproxy'],
  },
  withLength('a length after a bare LF', ['x-a: b\ncontent-length: LENGTH', 'content-length: 0']),
  withLength('a length that is not passed on', ['connection: content-length', 'content-length: LENGTH']),
  withLength('a length and an expectation', ['content-length: LENGTH', 'expect: 100-continue']),
  withLength('a GET with a body', ['content-length: LENGTH'], GET),
  withLength('a body for a path that takes none', ['content-length: LENGTH'], 'DELETE /nowhere HTTP/1.1'),
  inChunks('chunks with extensions', (text, size) => `${size};a=b;c\r\n${text}\r\n0;d\r\n\r\n`),
  inChunks('an extension with a bare LF', (text, size) => `${size};a\nb\r\n${text}\r\n0\r\n\r\n`),
  inChunks('chunks with bare LF', (text, size) => `${size}\n${text}\n0\n\n`),
  {
    ...inChunks('an end with bare LF before the hidden request', (text) => `0\n\n${text}`),
    isTwoTo: ['nginx', 'haproxy'],
  },
  inChunks('a chunk size with 0x', (text, size) => `0x${size}\r\n${text}\r\n0\r\n\r\n`),
  inChunks('a negative chunk size', (text, size) => `-${size}\r\n${text}\r\n0\r\n\r\n`),
  inChunks('a chunk size with a blank before it', (text, size) => ` ${size}\r\n${text}\r\n0\r\n\r\n`),
  inChunks('a chunk size beyond 64 bits', (text) => `10000000000000000\r\n${text}\r\n0\r\n\r\n`),
  {
    ...inChunks('a chunk size that is 0 in 32 bits', (text) => `100000000\r\n\r\n${text}`),
    isUnfinished: true,
  },
  inChunks('a chunk longer than its size', (text) => `1\r\nab${text}\r\n0\r\n\r\n`),
  inChunks(
    'a length among the trailers',
    (text, size) => `${size}\r\n${text}\r\n0\r\ncontent-length: 5\r\n\r\n`,
  ),
  alone('absolute form', 'GET http://quoting/api/resources HTTP/1.1'),
  alone('absolute form of another host', 'GET http://127.0.0.1:1/api/resources HTTP/1.1'),
  alone('two hosts', GET, 'host: other'),
  alone(
    'an upgrade to h2c',
    GET,
    'connection: upgrade, http2-settings',
    'upgrade: h2c',
    'http2-settings: AAMAAABk',
  ),
  alone(
    'an upgrade to websocket',
    GET,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
  ),
  alone('blanks in the request line', 'GET /api/resources /x HTTP/1.1'),
  alone('a tab in the request line', 'GET\t/api/resources\tHTTP/1.1'),
  alone('another version', 'GET /api/resources HTTP/1.2'),
  alone('no version', 'GET /api/resources'),
  alone('CONNECT', 'CONNECT 127.0.0.1:1 HTTP/1.1'),
  alone('a header without a name', GET, ': value'),
  alone('a header without a colon', GET, 'nothing'),
  { name: 'empty lines first', bytes: ({ own }) => `\r\n\r\n${request(GET, own, [])}` },
  { name: 'lines that end with LF', bytes: ({ own }) => request(GET, own, []).replaceAll('\r\n', '\n') },
  { name: 'the preface of HTTP/2', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { name: 'no HTTP', bytes: () => 'hello\r\n\r\n' },
]
