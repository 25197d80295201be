/** Writes through the API, and their errors. */
import { KEY } from './quotes.ts'
import type { Answer, TestServer } from './server.ts'

export interface WriteError {
  status: number
  code?: string
  message?: string
  param?: string
}

export const errorOf = ({ status, body }: Answer): WriteError => ({
  status,
  ...(body as { error: object }).error,
})

/** Posts JSON with the key of the first company. */
export const poster =
  (server: TestServer) =>
  (path: string, body: object = {}, { key = KEY, headers = {} }: { key?: string; headers?: object } = {}) =>
    server.call(path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
