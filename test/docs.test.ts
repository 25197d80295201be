import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../src/api/endpoints.ts'
import { createDemoDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

const KEY = 'eqs_demo_harborlight'
const { connection } = await createDemoDatabase()
let url = ''
const server = await startServer(connection, { publicUrl: () => url, demoKey: () => KEY })
url = `http://127.0.0.1:${server.port}`
const production = await startServer(connection)
const page = await server.call('/docs')

describe('D5: /docs', () => {
  it('works without a key and loads files only from the service', async () => {
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).not.toContain('unsafe')
    const links = [...page.text.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(4)
    for (const link of links) {
      expect(link).toMatch(/^(docs|api|assets|fonts)/)
      expect((await server.call(`/${link}`)).status).toBe(200)
    }
  })

  it('is linked from the sign-in page, and links to the OpenAPI document and the Postman collection', async () => {
    const root = await server.call('/')
    expect([root.status, root.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(root.text).toContain('<a href="docs">')
    expect(page.text).toContain('href="api/openapi.json"')
    expect(page.text).toContain('href="docs/postman.json"')
  })

  it('fills in only the demo key on an installation with the demo', () => {
    const controls = [...page.text.matchAll(/<(?:input|textarea|select) [^>]+>/g)].map(([tag]) => tag)
    expect(controls.length).toBeGreaterThan(20)
    expect(controls.flatMap((tag) => / value="([^"]*)"/.exec(tag)?.[1] ?? [])).toEqual([KEY])
    expect(page.text).not.toContain(' selected')
    const bodies = [...page.text.matchAll(/<textarea[^>]*>([^<]*)</g)].map(([, text]) => text)
    expect(bodies).toEqual(ENDPOINTS.filter(({ body }) => body !== undefined).map(() => ''))
  })

  it('shows no key on an installation without the demo', async () => {
    const { text } = await production.call('/docs')
    expect(text).toContain('id="api-key" type="password" value=""')
    expect(text).toContain('YOUR_API_KEY')
    expect(text).not.toContain('eqs_')
    expect((await production.call('/docs/postman.json')).text).not.toContain('eqs_')
  })

  it('has the sections of the description, including the sample for syncing', () => {
    for (const id of ['syncing', 'compatibility']) {
      expect(page.text).toContain(`<section id="${id}">`)
      expect(page.text).toContain(`href="#${id}"`)
    }
    expect(page.text).not.toMatch(/<p>\s*#/)
    expect(page.text).not.toContain('in the repository')
    expect(page.text).toContain('async function* listObjects(')
  })

  it('has a target for every link within the page', () => {
    const targets = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
    expect(targets.length).toBeGreaterThan(30)
    for (const id of new Set(targets)) expect(page.text).toContain(`id="${id}"`)
  })

  it('has samples in curl, JavaScript and Python for every operation', () => {
    const samples = [...page.text.matchAll(/data-language="(\w+)" id="(\w+)-\w+"/g)]
    expect(samples.map(([, language, operation]) => `${operation} ${language}`)).toEqual(
      ENDPOINTS.flatMap(({ operation }) =>
        ['curl', 'JavaScript', 'Python'].map((language) => `${operation} ${language}`),
      ),
    )
  })
})

describe('/docs/postman.json', () => {
  interface Item {
    name: string
    item?: Item[]
    request?: {
      url: { query: { key: string; disabled?: boolean }[] }
      header: { key: string; disabled?: boolean }[]
    }
  }

  it('has every endpoint, the key as a variable, and optional parameters disabled', async () => {
    const answer = await server.call('/docs/postman.json')
    expect(answer.headers['content-disposition']).toContain('attachment')
    const collection = answer.body as { item: Item[]; variable: object[] }
    expect(collection.variable).toEqual([
      { key: 'baseUrl', value: `${url}/api` },
      { key: 'apiKey', value: KEY },
    ])
    const requests = collection.item.flatMap(({ item = [] }) => item)
    expect(requests.map(({ name }) => name)).toEqual(ENDPOINTS.map(({ summary }) => summary))
    const parameters = requests.flatMap(({ request }) => [
      ...(request?.url.query ?? []),
      ...(request?.header.slice(request.header.length > 1 ? 1 : 0) ?? []),
    ])
    expect(parameters.length).toBeGreaterThan(20)
    const required = parameters.filter(({ disabled }) => disabled !== true)
    expect(required.map(({ key }) => key)).toEqual(['from', 'to'])
  })
})
