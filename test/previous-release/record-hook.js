/** Preloaded into a process: records every statement in the order in which it is sent. */
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'

// The driver of the release, not of this checkout
const { Client } = createRequire(process.argv[1])('pg')
const file = process.env['RECORD_FILE']
const send = Reflect.get(Client.prototype, 'query')
let clients = 0

const write = (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)

/** Records the rows of a COPY, which are not sent as values. */
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

/** Records the values of a query that writes to the connection directly. */
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
  // Maintenance of the embedded server is not a statement of the release.
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
