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
${hasBody ? `  body: JSON.stringify(${indent(writeObject(body))}),\n` : ''}})
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
${hasBody ? `    data=json.dumps(${indent(writeDict(body), 4)}).encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))`
}

/** For a shell. */
const inQuotes = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
/** For JavaScript. */
const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const indent = (text: string, by = 2) => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** Bodies are flat objects of JSON values. */
function writeObject(body: object): string {
  const members = Object.entries(body).map(([name, value]) => `  ${name}: ${writeValue(value, quote)},`)
  return `{\n${members.join('\n')}\n}`
}

const PYTHON_WORDS: Record<string, string> = { null: 'None', true: 'True', false: 'False' }

function writeDict(body: object): string {
  const members = Object.entries(body).map(([name, value]) => {
    const json = writeValue(value, JSON.stringify)
    return `    ${JSON.stringify(name)}: ${PYTHON_WORDS[json] ?? json},`
  })
  return `{\n${members.join('\n')}\n}`
}

function writeValue(value: unknown, writeText: (text: string) => string): string {
  return typeof value === 'string' ? writeText(value) : JSON.stringify(value)
}
