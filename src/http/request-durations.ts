/**
 * How long requests take, as a histogram in Prometheus' text format. A general library makes a text of the labels at
 * every request to find what they belong to, which costs more than all the counting.
 */
export interface RequestDurations {
  observe: (method: string, route: string, status: number, seconds: number) => void
  render: () => string
}

const NAME = 'http_request_duration_seconds'
const HELP = 'Requests by method, route pattern and status, with their duration'
/** Upper bounds, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, Infinity]

interface Series {
  method: string
  status: number
  /** By bound: those that are within it, and not within the one before. */
  counts: number[]
  sum: number
}

export function createRequestDurations(): RequestDurations {
  const byRoute = new Map<string, Series[]>()
  const seriesOf = (method: string, route: string, status: number): Series => {
    const ofRoute = byRoute.get(route) ?? []
    const known = ofRoute.find((series) => series.status === status && series.method === method)
    if (known !== undefined) return known
    const series = { method, status, counts: BOUNDS.map(() => 0), sum: 0 }
    byRoute.set(route, [...ofRoute, series])
    return series
  }
  return {
    observe: (method, route, status, seconds) => {
      const series = seriesOf(method, route, status)
      const bound = BOUNDS.findIndex((within) => seconds <= within)
      series.counts[bound] = (series.counts[bound] ?? 0) + 1
      series.sum += seconds
    },
    render: () => {
      const lines = [...byRoute].flatMap(([route, ofRoute]) =>
        ofRoute.flatMap((series) => renderSeries(route, series)),
      )
      return [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...lines, ''].join('\n')
    },
  }
}

/** Methods are those that the parser knows, routes are ours: nothing in them has to be escaped. */
function renderSeries(route: string, { method, status, counts, sum }: Series): string[] {
  const labels = `method="${method}",route="${route}",status="${status}"`
  let count = 0
  const buckets = BOUNDS.map((bound, i) => {
    count += counts[i] ?? 0
    return `${NAME}_bucket{le="${bound === Infinity ? '+Inf' : bound}",${labels}} ${count}`
  })
  return [...buckets, `${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`]
}
