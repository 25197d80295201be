import type { Program } from './item.ts'

export const HAPROXY: Program = { name: 'haproxy', debianPackage: 'haproxy' }

/** The documented configuration (docs/haproxy.cfg) on other ports: its own, and those of the two processes. */
export function haproxyConfiguration(
  documented: string,
  port: number,
  [first, second]: readonly [number, number],
): string {
  return documented
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${second}`)
}
