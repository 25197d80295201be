/** Code for the Syncing section of the reference page. docs/syncing.md has the same text, and a test runs it. */
export const SYNCING_SAMPLE = `/** Every object of a list that matches the filters, once. \`api\` is { url, key }; \`path\` is for example \`quotes\`. */
export async function* listObjects(api, path, filters = {}) {
  const seen = new Set()
  let query = filters
  let last
  for (;;) {
    const { page, isCursorFound } = await readPage(api, path, query)
    if (!isCursorFound) {
      // Leads do not show their time: their list starts again at the first page.
      query = { ...filters, ...(last.createdAt && { 'created_at[lte]': last.createdAt }) }
      continue
    }
    for (const object of page.data) {
      last = object
      if (seen.has(object.id)) continue
      seen.add(object.id)
      yield object
    }
    if (!page.hasMore) return
    query = { ...query, starting_after: last.id }
  }
}

async function readPage({ url, key }, path, query) {
  const response = await fetch(\`\${url}/api/\${path}?\${new URLSearchParams(query)}\`, {
    headers: { 'x-api-key': key },
  })
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)
  return { page: await response.json(), isCursorFound: response.headers.get('x-cursor') !== 'not-found' }
}

/** The lists to copy. All have the filters \`created_at\` and \`updated_at\`, like those of bookings and form responses. */
const PATHS = ['leads', 'quotes', 'events', 'tasks', 'invoices']
const OVERLAP_MS = 5 * 60_000

/** Copies what changed since the last run. Returns the time to pass as \`since\` next time; start with undefined. */
export async function sync(api, since, save) {
  const startedAt = Date.now()
  const filters = since === undefined ? {} : { 'updated_at[gte]': new Date(since - OVERLAP_MS).toISOString() }
  for (const path of PATHS) {
    for await (const object of listObjects(api, path, { limit: '100', ...filters })) await save(object)
  }
  return startedAt
}`
