/** `/logo/<company>/<hash>`: the logo of a company as a file, for the console and for the pages of customers. */
import type { FastifyInstance } from 'fastify'
import { isPossibleId } from '../core/ids.ts'
import { storedLogo } from '../core/images/logo.ts'
import { ApiError } from '../core/requests/errors.ts'
import type { DbPool } from '../db/statement.ts'
import { findLogo } from '../records/company/profile.ts'
import type { Admission } from '../http/admission.ts'

/** Nothing in the file runs or loads anything, even if it is opened by itself. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  // The path contains the hash of the file.
  'cache-control': 'public, max-age=31536000, immutable',
}

export function registerLogoFile(
  app: FastifyInstance,
  { db, admission }: { db: DbPool; admission: Admission },
): void {
  app.get('/logo/:company/:hash', async (request, reply) => {
    const { company, hash } = request.params as { company: string; hash: string }
    const isPossible = isPossibleId(company) && /^[0-9a-f]{64}$/.test(hash)
    const logo = isPossible ? await admission.run(() => findLogo(db, company, hash)) : null
    if (logo === null) throw new ApiError('not_found', { message: 'There is no such logo.' })
    const { type, bytes } = storedLogo(logo)
    return reply.headers(HEADERS).type(type).send(bytes)
  })
}
