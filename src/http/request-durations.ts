/**
 * Request durations as a histogram in the Prometheus text format. prom-client builds a string from the labels on every
 * request to find the series, which costs more than all the counting.
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
  /** Per bucket, not cumulative. */
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

/** Methods come from the parser and routes from us, so nothing needs escaping. */
function renderSeries(route: string, { method, status, counts, sum }: Series): string[] {
  const labels = `method="${method}",route="${route}",status="${status}"`
  let count = 0
  const buckets = BOUNDS.map((bound, i) => {
    count += counts[i] ?? 0
    return `${NAME}_bucket{le="${bound === Infinity ? '+Inf' : bound}",${labels}} ${count}`
  })
  return [...buckets, `${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`]
}
