/** Picks the error to report for a JSON body: the first one in the order of the body, missing members last. */

type Path = readonly PropertyKey[]

/** As zod reports it. */
interface Issue {
  code?: string | undefined
  path: Path
  message: string
  /** Unknown members. */
  keys?: readonly string[]
}

export interface BodyError {
  /** `serviceDays[0].serviceEndTime`; undefined for the body as a whole. */
  param: string | undefined
  message: string
}

export function firstBodyError(body: unknown, issues: readonly Issue[]): BodyError | null {
  const errors = issues
    .map((issue) => located(body, issue))
    .map((error) => ({ ...error, rank: rankOf(body, error.path) }))
  const [first] = errors.toSorted((a, b) => compareRanks(a.rank, b.rank))
  if (first === undefined) return null
  const param = paramOf(first.path)
  return { param, message: param === undefined ? first.message : `${param} ${messageOf(first)}` }
}

/** Of unknown members only the first one: a body can have thousands. */
function located(body: unknown, { code, path, message, keys }: Issue): { path: Path; message: string } {
  if (code !== 'unrecognized_keys') return { path, message }
  const unknown = new Set(keys)
  const object = path.reduce<unknown>((value, segment) => Reflect.get(Object(value), segment), body)
  const first = Object.keys(Object(object)).find((name) => unknown.has(name))
  return { path: first === undefined ? path : [...path, first], message: 'is not a known member' }
}

/** A required member that was not sent fails as if it were of a wrong type. */
const messageOf = ({ rank, message }: { rank: readonly number[]; message: string }) =>
  rank.at(-1) === MISSING ? 'is required' : message

const MISSING = Infinity

/** The position of each segment in the body. */
function rankOf(body: unknown, path: Path): number[] {
  let value = body
  return path.map((segment) => {
    const position = positionOf(value, segment)
    value = position === MISSING ? undefined : (value as Record<PropertyKey, unknown>)[segment]
    return position
  })
}

function positionOf(value: unknown, segment: PropertyKey): number {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return MISSING
  return typeof segment === 'number' ? segment : Object.keys(value).indexOf(String(segment))
}

/** A missing member anywhere comes after everything that was sent. Errors of an object as a whole come after its members. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const [aMissing, bMissing] = [a.includes(MISSING), b.includes(MISSING)]
  if (aMissing !== bMissing) return aMissing ? 1 : -1
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i] ?? MISSING, b[i] ?? MISSING]
    if (x !== y) return x - y
  }
  return 0
}

/** `lines[0].priceCents`; undefined for the whole body. */
export function paramOf(path: Path): string | undefined {
  if (path.length === 0) return undefined
  return path
    .map((segment, i) =>
      typeof segment === 'number' ? `[${segment}]` : i === 0 ? String(segment) : `.${String(segment)}`,
    )
    .join('')
}
