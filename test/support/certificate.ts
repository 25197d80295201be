/** A self-signed certificate for 127.0.0.1, and clients that trust it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { findProgram, runProgram } from './programs.ts'

interface Certificate {
  ca: string
  /** The file with certificate and key, in the format of haproxy */
  bundle: string
}

export async function createCertificate(folder: string): Promise<Certificate> {
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  await runProgram(
    findProgram('openssl', 'openssl'),
    ['req', '-x509', '-days', '2', ...newKey, ...subject, '-out', certificateFile],
    folder,
  )
  const ca = readFileSync(certificateFile, 'utf8')
  const bundle = join(folder, 'quoting.pem')
  writeFileSync(bundle, ca + readFileSync(keyFile, 'utf8'))
  return { ca, bundle }
}

export interface TextRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
}

export type Fetch = (url: string, init?: TextRequest) => Promise<Response>

/** Like `fetch` without redirects. `fetch` itself cannot trust an additional certificate. */
export function createTlsFetch(ca: string): Fetch {
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sending = request(url, { method, headers, ca }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, rawHeaders } = response
          const received = new Headers()
          for (let i = 0; i < rawHeaders.length; i += 2)
            received.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
          const isEmpty = status === 204 || status === 304
          resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: received }))
        })
      })
      sending.on('error', reject)
      sending.end(body)
    })
}
