/** Loaded into a process before anything else: writes down every statement it sends, in the order of sending. */
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'

// The driver of the release, not the one beside this file.
const { Client } = createRequire(process.argv[1])('pg')
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

/** A query that writes to the connection by itself: its values are seen there only. */
function recordBound(query, entry) {
  const submit = query.submit.bind(query)
  query.submit = (connection) => {
    const bind = connection.bind.bind(connection)
    connection.bind = (config, more) => {
      delete connection.bind
      write({ ...entry, name: query.name, text: query.text, values: config.values })
      bind(config, more)
    }
    return submit(connection)
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
    else recordBound(config, entry)
  }
  return Reflect.apply(send, this, [config, values, ...rest])
}
