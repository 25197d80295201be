/**
 * Abuse of the public form: a thousand submissions from one address, pages that are sent many times at once, huge answers, and a
 * script and a mail header in every field. Limits hold, nothing is lost or duplicated, and nothing executes.
 */
import { withClient } from '../src/db/connect.ts'
import type { Connection } from '../src/db/connect.ts'
import { createFormStamps } from '../src/core/security/form-stamp.ts'
import { atLeast, atMost, exactly } from './item.ts'
import type { Figure, Item, Settings } from './item.ts'
import { POSTGRES_PROGRAMS, startPostgres } from './postgres.ts'
import { createRandom } from './random.ts'
import type { Random } from './random.ts'
import { INJECTION, startMailbox } from './public-mail.ts'
import { startService } from './service.ts'

const COMPANY = 'co_harborlight'
const FORM = 'form_quote'
const PATH = '/f/harborlight-quote'
const SECRET = 'a secret of thirty-two characters'
const CLIENTS = 12
/** Limit of one network in an hour */
const SUBMISSIONS_MAX = 20

const stamps = createFormStamps(SECRET)
const SCRIPT = `"'></title></textarea></style><script>hacked()</script><img src=x onerror=hacked()>`

type Fields = Record<string, string | readonly string[]>

interface Sent {
  status: number
  text: string
}

/** The form field of a demo question. */
const question = (slug: string) => `q.question_quote_${slug}`

export const publicForms: Item = {
  name: 'public',
  title: 'Abuse of the public form',
  programs: POSTGRES_PROGRAMS,
  run: async ({ folder, seed, quick }: Settings) => {
    const postgres = await startPostgres(folder)
    const mailbox = await startMailbox()
    const service = await startService({
      folder,
      settings: {
        DATABASE_URL: postgres.url,
        APP_SECRET: SECRET,
        TRUST_PROXY: '127.0.0.1',
        ...mailbox.settings,
      },
    })
    const visitor = createVisitor(service.port, createRandom(seed))
    const { connection } = postgres
    const figures = [
      ...(await sendFromOneAddress(visitor, connection, quick ? 200 : 1_000)),
      ...(await sendTwice(visitor, connection, quick ? 30 : 200)),
      ...(await sendHuge(visitor, connection)),
      ...(await sendScripts(visitor, connection)),
      ...(await judge(connection)),
      ...(await mailbox.judge(await countResponses(connection))),
    ]
    service.kill('SIGTERM')
    await service.ended
    await mailbox.close()
    return figures
  },
}

type Visitor = ReturnType<typeof createVisitor>

function createVisitor(port: number, random: Random) {
  let pages = 0
  const stamp = () =>
    stamps.seal([COMPANY, FORM], { pageId: `resp_torture_${++pages}`, renderedAt: Date.now() - 60_000 })
  const address = () => `10.${random.between(0, 255)}.${random.between(0, 255)}.${++pages % 250}`
  const post = async (fields: Fields | string, from: string): Promise<Sent> => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
        body: typeof fields === 'string' ? fields : encode(fields),
      })
      return { status: answer.status, text: await answer.text() }
    } catch {
      // The server closes the connection while it receives a body that is too large.
      return { status: 0, text: '' }
    }
  }
  return { stamp, address, post }
}

function encode(fields: Fields): string {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one)
  return body.toString()
}

const good = (stamp: string, email: string): Fields => ({
  stamp,
  [question('name')]: 'Ada Noor',
  [question('email')]: email,
  [question('event_type')]: 'Wedding',
  [question('date')]: '2099-05-30',
  [question('guests')]: '80',
})

/** Sends with at most `CLIENTS` concurrent requests. */
async function sendAll<Result>(count: number, send: (i: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    for (let i = next++; i < count; i = next++) results.push(await send(i))
  }
  await Promise.all(Array.from({ length: CLIENTS }, work))
  return results
}

const countStatus = (sent: readonly Sent[], status: number) =>
  sent.filter((one) => one.status === status).length

async function countRows(connection: Connection, query: string): Promise<number> {
  const { rows } = await withClient(connection, (client) => client.query<{ count: string }>(query))
  return Number(rows[0]?.count)
}

const countResponses = (connection: Connection) =>
  countRows(connection, `SELECT count(*) FROM form_responses WHERE form_id = '${FORM}'`)

async function sendFromOneAddress(
  { stamp, post }: Visitor,
  connection: Connection,
  count: number,
): Promise<Figure[]> {
  const sent = await sendAll(count, (i) => post(good(stamp(), `flood-${i}@example.com`), '192.0.2.1'))
  return [
    exactly('one address: submissions accepted', countStatus(sent, 303), SUBMISSIONS_MAX),
    exactly('one address: submissions rejected with 429', countStatus(sent, 429), count - SUBMISSIONS_MAX),
    exactly('one address: responses stored', await countResponses(connection), SUBMISSIONS_MAX),
  ]
}

const COPIES = 5

async function sendTwice(
  { stamp, address, post }: Visitor,
  connection: Connection,
  pages: number,
): Promise<Figure[]> {
  const before = await countResponses(connection)
  const sent = await sendAll(pages, async (i) => {
    const fields = good(stamp(), `twice-${i}@example.com`)
    const from = address()
    return Promise.all(Array.from({ length: COPIES }, () => post(fields, from)))
  })
  return [
    exactly('sent again: thank-you pages', countStatus(sent.flat(), 303), pages * COPIES),
    exactly('sent again: responses stored', (await countResponses(connection)) - before, pages),
    exactly(
      'sent again: contacts with the email address of a page',
      await countRows(connection, `SELECT count(*) FROM leads WHERE email LIKE 'twice-%'`),
      pages,
    ),
  ]
}

async function sendHuge({ stamp, address, post }: Visitor, connection: Connection): Promise<Figure[]> {
  const before = await countResponses(connection)
  const long = (length: number) => ({
    ...good(stamp(), 'huge@example.com'),
    [question('else')]: 'x'.repeat(length),
  })
  const bodies: (Fields | string)[] = [
    long(5_001),
    long(120_000),
    long(200_000),
    long(10_000_000),
    { ...good(stamp(), `${'x'.repeat(100_000)}@example.com`) },
    Array.from({ length: 20_000 }, (_, i) => `q.${i}=x`).join('&'),
    `${'q'.repeat(100_000)}=x`,
    `q.${'%41'.repeat(40_000)}=x`,
    '&'.repeat(100_000),
    '%'.repeat(100_000),
    '',
  ]
  const sent: Sent[] = []
  for (const body of bodies) sent.push(await post(body, address()))
  const isRejected = ({ status }: Sent) => [0, 400, 413, 422].includes(status)
  return [
    exactly('huge answers: rejected', sent.filter(isRejected).length, bodies.length),
    exactly('huge answers: responses stored', (await countResponses(connection)) - before, 0),
    atLeast('huge answers: shown next to their field', countStatus(sent, 422), 3),
  ]
}

const QUESTIONS = [
  'name',
  'email',
  'phone',
  'event_type',
  'location',
  'date',
  'start',
  'end',
  'guests',
  'address',
]

async function sendScripts({ stamp, address, post }: Visitor, connection: Connection): Promise<Figure[]> {
  const sent: Sent[] = []
  for (const slug of [...QUESTIONS, 'extras', 'outdoors', 'rain', 'else']) {
    const fields = { ...good(stamp(), 'script@example.com'), [question(slug)]: SCRIPT, seen: SCRIPT }
    sent.push(await post(fields, address()))
  }
  for (const name of ['stamp', 'website', 'seen', SCRIPT, `q.${SCRIPT}`])
    sent.push(await post({ ...good(stamp(), 'script@example.com'), [name]: SCRIPT }, address()))
  const everywhere = Object.fromEntries([...QUESTIONS, 'else'].map((slug) => [question(slug), SCRIPT]))
  sent.push(await post({ stamp: stamp(), ...everywhere }, address()))
  for (const slug of ['name', 'phone', 'address', 'else'])
    sent.push(await post({ ...good(stamp(), 'script@example.com'), [question(slug)]: INJECTION }, address()))
  const isRaw = ({ text }: Sent) => /<script>|<img src=x|onerror=hacked\(\)>/.test(text)
  const kept = await countRows(
    connection,
    `SELECT count(*) FROM form_answers WHERE response LIKE '%<script>hacked()</script>%'`,
  )
  return [
    atLeast(
      'scripts: pages that contain them',
      sent.filter(({ text }) => text.includes('hacked()')).length,
      5,
    ),
    atMost('scripts: pages with a script as markup', sent.filter(isRaw).length, 0),
    atLeast('scripts: answers stored as they were sent', kept, 3),
    atMost('scripts: server errors', sent.filter(({ status }) => status >= 500 || status === 0).length, 0),
  ]
}

/** Each response has a quote and is in the change log once. */
async function judge(connection: Connection): Promise<Figure[]> {
  const responses = await countResponses(connection)
  const ofCompany = `company_id = '${COMPANY}'`
  return [
    exactly(
      'responses with a draft quote and a contact',
      await countRows(
        connection,
        `SELECT count(*) FROM form_responses r JOIN quotes q ON q.id = r.quote_id AND q.${ofCompany}
         JOIN leads l ON l.id = q.lead_id AND l.${ofCompany}
         WHERE r.form_id = '${FORM}' AND q.sent_at IS NULL`,
      ),
      responses,
    ),
    exactly(
      'changes that report a submission',
      await countRows(
        connection,
        `SELECT count(DISTINCT subject_id) FROM changes WHERE ${ofCompany} AND type = 'form_response.submitted'`,
      ),
      responses,
    ),
    atMost(
      'duplicate quote numbers',
      await countRows(
        connection,
        `SELECT count(*) FROM (SELECT FROM quotes WHERE ${ofCompany} GROUP BY number HAVING count(*) > 1 AND number IS NOT NULL) n`,
      ),
      0,
    ),
    atMost(
      'gaps in the numbers of changes',
      await countRows(connection, `SELECT max(sequence) - count(*) AS count FROM changes WHERE ${ofCompany}`),
      0,
    ),
  ]
}
