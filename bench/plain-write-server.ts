/** POST /api/tasks as in the service, but the action records no change. The benchmark compares the service with it. */
import type { z } from 'zod'
import { defineAction } from '../src/actions/action.ts'
import { newId } from '../src/core/ids.ts'
import type { NewTask } from '../src/actions/create-task.ts'
import { createChangeListener } from '../src/changes/listener.ts'
import { openPool } from '../src/db/connect.ts'
import { createTaskOfEvent } from '../src/api/tasks.ts'
import { answerWrite } from '../src/api/write.ts'
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
const createUnrecorded = defineAction({
  name: 'createTask',
  lock: 'last',
  run: async ({ db, companyId, presentation }, task: NewTask) => {
    const row = await insertTask(db, companyId, { ...task, id: newId('task') })
    if (row === null) throw new Error('the event is missing')
    return TASK.present(row, presentation)
  },
})
const { body: bodySchema } = createTaskOfEvent
if (bodySchema === undefined) throw new Error('the endpoint has no body')
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
      answer: (call) =>
        answerWrite(call, {
          action: createUnrecorded,
          body: bodySchema as z.ZodObject & z.ZodType<NewTask>,
          isCreation: true,
          input: ({ eventId, description }) => ({ eventId, description, dueDate: null }),
        }),
    },
  ],
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
