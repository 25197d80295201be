import * as fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createRequestDurations } from './request-durations.ts'

const observation = fc.tuple(
  fc.constantFrom('GET', 'HEAD', 'POST'),
  fc.constantFrom('/api/quotes', '/api/quotes/:id', 'unknown'),
  fc.constantFrom(200, 400, 404),
  fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.constantFrom(0, 0.001, 0.0025, 1, 5, 5.1)),
)

it('is what the histogram of the library for Prometheus would be, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(observation), async (observations) => {
      const registry = new Registry()
      const library = new Histogram({
        name: 'http_request_duration_seconds',
        help: 'Requests by method, route pattern and status, with their duration',
        labelNames: ['method', 'route', 'status'],
        buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
        registers: [registry],
      })
      const durations = createRequestDurations()
      for (const [method, route, status, seconds] of observations) {
        library.observe({ method, route, status }, seconds)
        durations.observe(method, route, status, seconds)
      }
      expect(durations.render().split('\n').toSorted()).toEqual(
        (await registry.metrics()).split('\n').toSorted(),
      )
    }),
  )
})
