/** The same request in curl, JavaScript and Python. Each sample runs as it is shown, without any package. */

export interface SampleRequest {
  method: string
  url: string
  apiKey: string
  /** Sent as JSON. */
  body?: object
}

export interface Sample {
  name: string
  code: string
}

export function writeSamples(request: SampleRequest): Sample[] {
  return [
    { name: 'curl', code: writeCurl(request) },
    { name: 'JavaScript', code: writeJavaScript(request) },
    { name: 'Python', code: writePython(request) },
  ]
}

function writeCurl({ method, url, apiKey, body }: SampleRequest): string {
  const options = [`-H ${inQuotes(`x-api-key: ${apiKey}`)}`]
  if (method !== 'GET') options.unshift(`-X ${method}`)
  if (body !== undefined) {
    options.push(`-H 'content-type: application/json'`, `-d ${inQuotes(JSON.stringify(body, null, 2))}`)
  }
  // -g: brackets in the URL are part of the name of a parameter.
  return [`curl -g ${inQuotes(url)}`, ...options].join(' \\\n  ')
}

function writeJavaScript({ method, url, apiKey, body }: SampleRequest): string {
  const hasBody = body !== undefined
  const contentType = hasBody ? `\n    'content-type': 'application/json',` : ''
  return `const response = await fetch(${quote(url)}, {
${method === 'GET' ? '' : `  method: ${quote(method)},\n`}  headers: {
    'x-api-key': ${quote(apiKey)},${contentType}
  },
${hasBody ? `  body: JSON.stringify(${indent(writeValue(body, JAVASCRIPT))}),\n` : ''}})
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`)
console.log(await response.json())`
}

function writePython({ method, url, apiKey, body }: SampleRequest): string {
  const hasBody = body !== undefined
  const contentType = hasBody ? `\n        "content-type": "application/json",` : ''
  return `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
${method === 'GET' ? '' : `    method=${JSON.stringify(method)},\n`}    headers={
        "x-api-key": ${JSON.stringify(apiKey)},${contentType}
    },
${hasBody ? `    data=json.dumps(${indent(writeValue(body, PYTHON), 4)}).encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))`
}

/** For a shell. */
const inQuotes = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
/** For JavaScript. */
const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const indent = (text: string, by = 2) => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** How a language writes JSON values. */
interface Syntax {
  indent: number
  text: (text: string) => string
  name: (name: string) => string
  words: Record<string, string>
}

const JAVASCRIPT: Syntax = { indent: 2, text: quote, name: (name) => name, words: {} }
const PYTHON: Syntax = {
  indent: 4,
  text: (text) => JSON.stringify(text),
  name: (name) => JSON.stringify(name),
  words: { null: 'None', true: 'True', false: 'False' },
}

function writeValue(value: unknown, syntax: Syntax): string {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => writeValue(item, syntax))
    const isFlat = value.every((item) => typeof item !== 'object' || item === null)
    return isFlat ? `[${items.join(', ')}]` : writeLines('[', items, ']', syntax)
  }
  const members = Object.entries(value).map(([name, of]) => `${syntax.name(name)}: ${writeValue(of, syntax)}`)
  return members.length === 0 ? '{}' : writeLines('{', members, '}', syntax)
}

function writeLines(open: string, items: string[], close: string, { indent: by }: Syntax): string {
  const lines = items.map((item) => `${' '.repeat(by)}${indent(item, by)},`)
  return [open, ...lines, close].join('\n')
}
