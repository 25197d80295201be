/**
 * POST /api/tasks with the checks and the action of the service, but its transaction records no change and does not check whether the
 * company moves. The benchmark compares the service with it.
 */
import { createTask } from '../src/actions/create-task.ts'
import { actionContext } from '../src/api/action-context.ts'
import { createChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import type { Db } from '../src/db/statement.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { NewTaskBody, createTaskOfEvent } from '../src/api/tasks.ts'
import { parseBody } from '../src/api/write.ts'
import { buildServer } from '../src/server/build-server.ts'
import { createLogger } from '../src/server/log.ts'

const nothing = () => undefined
const UNRECORDED = { record: nothing, audit: nothing, announce: nothing }

const { DATABASE_URL = '', PORT = '' } = process.env
const connection = { connectionString: DATABASE_URL }
const [data, keys, other] = [
  openPool(connection, 'data', () => undefined),
  openPool(connection, 'keys', () => undefined),
  openPool(connection, 'console', () => undefined),
]
const logger = createLogger('info', { write: () => undefined })
const app = buildServer({
  data,
  keys,
  console: other,
  reports: other,
  logger,
  changes: createChangeListener({ connection, db: other, log: logger }),
  trustedProxies: [],
  rateLimitPerMinute: undefined,
  publicUrl: () => 'http://localhost',
  appSecrets: ['benchmark'],
  isMigrated: () => true,
  endpoints: [
    {
      ...createTaskOfEvent,
      answer: async (call) => {
        const { dueDate = null, ...body } = parseBody(call, NewTaskBody, true)
        const task = { ...body, dueDate }
        createTask.input.parse(task)
        const work = (db: Db) => createTask.run({ ...actionContext(call), db, ...UNRECORDED }, task)
        return { body: await inTransaction(call.primary, work, 'action') }
      },
    },
  ],
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
