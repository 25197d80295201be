/** The key of an API request as the actor of an action. */
import type { ActionContext } from '../actions/action.ts'
import type { Call } from './endpoint.ts'

export function actionContext({ primary, companyId, key, presentation, outbox }: Call): ActionContext {
  return {
    pool: primary,
    companyId,
    actor: { type: 'apiKey', id: key.keyId, name: key.keyName },
    caller: 'apiKey',
    presentation,
    outbox,
  }
}
