/**
 * Serializes errors for the log. Only listed members are kept: PostgreSQL puts row values into `detail`, `where`, `hint` and
 * `internalQuery`, and other libraries add more.
 */

/** Names and numbers from PostgreSQL, the system and the framework. No values. */
const KEPT = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
  'file',
  'line',
  'position',
  'errno',
  'syscall',
  'address',
  'port',
  'statusCode',
]

/** SQLSTATE class 22, "data exception": the message may quote the value. The quotes depend on the server's language. */
const DATA_EXCEPTION = /^22...$/
const QUOTE = /[:"'“”„«»‘’‚‹›「『]/

/** For pino. Causes are appended to message and stack; the members of an aggregate are listed. */
export function describeError(error: unknown): unknown {
  return describe(error, new Set())
}

function describe(error: unknown, seen: Set<unknown>): unknown {
  if (typeof error !== 'object' || error === null) return error
  if (!isErrorLike(error)) return { type: typeName(error) }
  const chain = causesOf(error)
  chain.forEach((one) => seen.add(one))
  const description: Record<string, unknown> = {
    type: typeName(error),
    message: chain.map(safeMessage).join(': '),
    stack: chain.map(safeStack).join('\ncaused by: '),
  }
  for (const name of KEPT) {
    const value = (error as unknown as Record<string, unknown>)[name]
    if (typeof value === 'string' || typeof value === 'number') description[name] = value
  }
  const members = error instanceof AggregateError ? (error.errors as unknown[]) : []
  const fresh = members.filter((one) => !seen.has(one))
  if (fresh.length > 0) description['aggregateErrors'] = fresh.map((one) => describe(one, seen))
  return description
}

function isErrorLike(value: unknown): value is Error {
  return typeof (value as Error | null | undefined)?.message === 'string'
}

function typeName(value: object): string {
  return (value.constructor as { name?: string } | undefined)?.name ?? 'Object'
}

/** The error, its cause, the cause of that, each once. */
function causesOf(error: Error): Error[] {
  const chain: Error[] = []
  for (let one: unknown = error; isErrorLike(one) && !chain.includes(one); one = one.cause) chain.push(one)
  return chain
}

function safeMessage(error: Error): string {
  const { code } = error as { code?: unknown }
  const mayQuote = typeof code === 'string' && DATA_EXCEPTION.test(code)
  const quoteAt = mayQuote ? error.message.search(QUOTE) : -1
  return quoteAt === -1 ? error.message : `${error.message.slice(0, quoteAt).trimEnd()} …`
}

/** The stack normally starts with the message. If it has another one, only the frames are kept. */
function safeStack(error: Error): string {
  const { message, stack = '' } = error
  const safe = safeMessage(error)
  if (safe === message) return stack
  if (stack.includes(message)) return stack.replace(message, () => safe)
  return safe + (/\n {4}at [^]*$/.exec(stack)?.[0] ?? '')
}
