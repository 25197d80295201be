/** The goals, each a ratio or a count of one run. */

export interface GoalResult {
  name: string
  value: number
  goal: string
  pass: boolean
  /** A short text with the measured values */
  note: string
}

/** name, comparison, bound */
const GOALS = {
  get: ['get one quote: service / database alone, requests per processor second', '>=', 0.6],
  list10: ['list 10: service / database alone, requests per processor second', '>=', 0.65],
  list100: [
    'list 100 with six expansions: service / database alone, requests per processor second',
    '>=',
    0.35,
  ],
  list10Cpu: ['list 10: total CPU / database CPU of the same SQL alone', '<=', 1.35],
  deep: ['cursor at depth 90,000 / first page, CPU', '<=', 1.1],
  large: ['company of 100,000 / company of 100 quotes, first pages, CPU', '<=', 1.1],
  ids: ['each id filter alone and in pairs, first and deep / plain page, database CPU, worst', '<=', 3],
  days: ['service_start_time, every range, first and deep / plain page, database CPU, worst', '<=', 8],
  daysAndMore: ['service_start_time with one more filter / plain page, database CPU, worst', '<=', 40],
  statements: ['statements of list 100 with 20 paths', '<=', 23],
  sameStatements: ['statements of list 100 minus those of list 1, with 20 paths', '<=', 0],
  plans: ['statements planned again after warm-up', '<=', 0],
  buffers: ['page-id query, buffers at any depth, maximum', '<=', 12],
  overhead: ['authentication, log and metrics / without them, CPU of get one', '<=', 1.15],
  peerGet: ['against PostGraphile 4, get: CPU of the peer / ours', '>=', 3],
  peerList10: ['against PostGraphile 4, list 10: CPU of the peer / ours', '>=', 4],
  peerList100: ['against PostGraphile 4, list 100 with six expansions: CPU of the peer / ours', '>=', 4],
  changesDeep: ['100 changes at depth 900,000 / first page, CPU', '<=', 1.1],
  recordChanges: ['create a task / without a change log, CPU', '<=', 1.5],
  events: ['list 10 events with four expansions / list 10 quotes, CPU', '<=', 1.3],
  recordLists: [
    'lists of records at 100,000 rows, every order, filter and depth / plain page, CPU, worst',
    '<=',
    3,
  ],
  // Missed if a few percent of the records match, all far from the beginning of the order (docs/adr/0028).
  recordSearches: ['searches in lists of records, every order / plain page, CPU, worst', '<=', 3],
  memory: ['resting memory of the server process, MB', '<=', 120],
  webhooks: ['webhooks to a receiver on this machine, per second', '>=', 500],
  importRate: ['import of the big world, lines per second', '>=', 20_000],
  importMemory: ['import of the big world, peak memory, MB', '<=', 300],
  exportRate: ['export of the big world, lines per second', '>=', 20_000],
  exportMemory: ['export of the big world, peak memory, MB', '<=', 300],
  wrongAnswers: ['responses that differ from those of plain queries', '<=', 0],
} as const satisfies Record<string, readonly [string, '>=' | '<=', number]>

export type GoalName = keyof typeof GOALS

export function judge(goal: GoalName, value: number, note: string): GoalResult {
  const [name, comparison, bound] = GOALS[goal]
  const pass = comparison === '>=' ? value >= bound : value <= bound
  return { name, value, goal: `${comparison} ${bound}`, pass, note }
}
