/** Opens a backup for reading. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createReader, cutOff, damaged } from './format.ts'
import type { BackupHeader, BackupReader } from './format.ts'

export function openBackup(input: Readable): BackupReader {
  return createReader(unzip(input))
}

/** Checks that the file is a backup. */
export async function readBackupHeader(input: Readable): Promise<BackupHeader> {
  try {
    return await openBackup(input).header()
  } finally {
    input.destroy()
  }
}

/** Reports gzip errors in our words. Bytes after the end are an error too, though gzip ignores them. */
async function* unzip(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let bytes = 0
  input.on('data', (chunk: Buffer) => (bytes += chunk.length))
  const feeding = pipeline(input, gunzip)
  feeding.catch(() => undefined)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk
    await feeding
  } catch (error) {
    throw describeFailure(error as NodeJS.ErrnoException)
  }
  if (gunzip.bytesWritten !== bytes) throw damaged()
}

function describeFailure(error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR') return cutOff(error)
  return error.code?.startsWith('Z_') === true ? damaged(error) : error
}
