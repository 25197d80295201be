/** The methods of each path, to tell a wrong method (405) from an unknown path (404). */
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from './endpoint.ts'

interface KnownPath {
  segments: string[]
  methods: Set<string>
  endpoint: Endpoint | undefined
}

export interface PathList {
  /** Empty for an unknown path. */
  methodsOf: (url: string) => string[]
  endpointOf: (url: string) => Endpoint | undefined
}

/** Collects the routes as they are registered. */
export function createPathList(app: FastifyInstance): PathList {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', (route) => {
    const path: KnownPath = known.get(route.url) ?? {
      segments: route.url.split('/'),
      methods: new Set(),
      endpoint: route.config?.endpoint,
    }
    for (const method of [route.method].flat()) path.methods.add(method)
    known.set(route.url, path)
  })
  const find = (url: string): KnownPath | undefined => {
    const segments = url.replace(/\?.*$/s, '').split('/')
    return [...known.values()].find((path) => matches(path.segments, segments))
  }
  return {
    methodsOf: (url) => [...(find(url)?.methods ?? [])],
    endpointOf: (url) => find(url)?.endpoint,
  }
}

function matches(pattern: string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
}
