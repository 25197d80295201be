/** Code for the Syncing section of the reference page. docs/syncing.md has the same text, and a test runs it. */
export const SYNCING_SAMPLE = `/** Every quote that matches the filters, once. \`api\` is { url, key }. */
export async function* listQuotes(api, filters = {}) {
  const seen = new Set()
  let query = filters
  let last
  for (;;) {
    const { page, isCursorFound } = await readPage(api, query)
    if (!isCursorFound) {
      query = { ...filters, 'created_at[lte]': last.createdAt }
      continue
    }
    for (const quote of page.data) {
      last = quote
      if (seen.has(quote.id)) continue
      seen.add(quote.id)
      yield quote
    }
    if (!page.hasMore) return
    query = { ...query, starting_after: last.id }
  }
}

async function readPage({ url, key }, query) {
  const response = await fetch(\`\${url}/api/quotes?\${new URLSearchParams(query)}\`, {
    headers: { 'x-api-key': key },
  })
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)
  return { page: await response.json(), isCursorFound: response.headers.get('x-cursor') !== 'not-found' }
}

const OVERLAP_MS = 5 * 60_000

/** Copies what changed since the last run. Returns the time to pass as \`since\` next time; start with undefined. */
export async function sync(api, since, save) {
  const startedAt = Date.now()
  const filters = since === undefined ? {} : { 'updated_at[gte]': new Date(since - OVERLAP_MS).toISOString() }
  for await (const quote of listQuotes(api, { limit: '100', ...filters })) await save(quote)
  return startedAt
}`
