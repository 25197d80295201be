/** Loaded into a process before anything else: writes down every statement it sends, in the order of sending. */
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import { Client } from 'pg'

const file = process.env['RECORD_FILE']
const send = Reflect.get(Client.prototype, 'query')
let clients = 0

const write = (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)

/** The rows of a COPY, which go another way than a statement's values. */
function recordRows(stream, entry) {
  const chunks = []
  for (const name of ['write', 'end']) {
    const pass = stream[name].bind(stream)
    stream[name] = (chunk, ...rest) => {
      if (chunk !== undefined && typeof chunk !== 'function') chunks.push(Buffer.from(chunk))
      if (name === 'end') write({ ...entry, rows: Buffer.concat(chunks).toString() })
      return pass(chunk, ...rest)
    }
  }
}

Client.prototype.query = function (config, values, ...rest) {
  // The embedded server's own maintenance is no statement of a release.
  if (this.database !== 'postgres') {
    this.recordedAs ??= `${process.pid}-${clients++}`
    const entry = { client: this.recordedAs, options: this.connectionParameters.options }
    if (typeof config === 'string')
      write({ ...entry, text: config, values: Array.isArray(values) ? values : [] })
    else if (typeof config.submit !== 'function')
      write({ ...entry, name: config.name, text: config.text, values: config.values ?? values ?? [] })
    else if (/FROM STDIN/.test(config.text)) recordRows(config, { ...entry, text: config.text })
  }
  return Reflect.apply(send, this, [config, values, ...rest])
}
