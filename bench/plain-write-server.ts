/** POST /api/tasks as in the service, but the transaction records no change. The benchmark compares the service with it. */
import { newId } from '../src/core/ids.ts'
import { createChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { NewTaskBody, createTaskOfEvent } from '../src/api/tasks.ts'
import { parseBody } from '../src/api/write.ts'
import { TASK } from '../src/records/task/object.ts'
import { insertTask } from '../src/records/task/queries.ts'
import { buildServer } from '../src/server/build-server.ts'
import { createLogger } from '../src/server/log.ts'

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
        const { primary, companyId, presentation } = call
        const { dueDate = null, ...body } = parseBody(call, NewTaskBody, true)
        const task = { ...body, id: newId('task'), dueDate }
        const row = await inTransaction(primary, (db) => insertTask(db, companyId, task))
        if (row === null) throw new Error('the event is missing')
        return { body: TASK.present(row, presentation) }
      },
    },
  ],
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
