/** The error for a link that does not work: it does not reveal whether there ever was such a link. */
import { ApiError } from '../core/requests/errors.ts'

export const usedLink = () =>
  new ApiError('not_found', { message: 'This link is not valid: it was used, was replaced or has expired.' })
