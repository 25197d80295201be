/** Starts the application with a small company and the given records. */
import { startConsole } from './console.ts'
import type { TestConsole } from './console.ts'

interface SmallWorld {
  /** A line of the world format. */
  record: (object: string, id: string, rest?: object) => string
  /** An event whose name is its id. */
  event: (id: string, start: string, end: string, rest?: object) => string
  start: (lines: string[]) => Promise<TestConsole>
}

export function smallWorld(companyId: string): SmallWorld {
  const apiKey = `a-plain-key-of-${companyId}`
  const record: SmallWorld['record'] = (object, id, rest = {}) =>
    JSON.stringify({ object, id, companyId, ...rest })
  return {
    record,
    event: (id, start, end, rest = {}) =>
      record('event', id, { name: id, serviceStartTime: start, serviceEndTime: end, ...rest }),
    start: (lines) =>
      startConsole({
        companyId,
        apiKey,
        lines: [
          JSON.stringify({
            object: 'company',
            id: companyId,
            name: 'Quay',
            plan: 'PREMIUM',
            currency: 'USD',
          }),
          record('apiKey', 'key', { name: 'Site', key: apiKey }),
          ...lines,
        ],
      }),
  }
}
