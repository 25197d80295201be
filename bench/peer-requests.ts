/** The same quote, page and expanded page from a peer and from the service. */
import { LARGE } from './big-world.ts'
import { judge } from './goals.ts'
import type { GoalResult } from './goals.ts'
import { httpGet } from './load.ts'
import type { ServiceLoader, ServiceLoad } from './load.ts'
import type { Peer } from './peer.ts'
import { GETS, LIST_100, figureOf, totalUs } from './requests.ts'
import type { Effort, LoadFigure } from './requests.ts'
import { interleave, ratioOver } from './rounds.ts'
import type { RunningServer } from './servers.ts'

function httpPost({ path, headers, body }: Peer['requests']['list10']): string {
  const all = { host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

function againstPeer(
  goal: 'peerGet' | 'peerList10' | 'peerList100',
  our: ServiceLoad[],
  their: ServiceLoad[],
): GoalResult {
  const speed = ratioOver(our, their, (a, b) => a.requestsPerSecond / b.requestsPerSecond)
  const value = ratioOver(our, their, (a, b) => totalUs(b) / totalUs(a))
  return judge(goal, value, `requests per second ${speed.toFixed(2)}`)
}

/** Compares the same quote, page and expanded page from the peer and the service in the same round. */
export async function measurePeer({
  peer,
  service,
  load,
  rounds,
  seconds,
}: Effort & { peer: Peer; service: RunningServer; load: ServiceLoader }): Promise<{
  goals: GoalResult[]
  loads: LoadFigure[]
}> {
  const ours = (paths: string[]) => () =>
    load.onService(
      service,
      paths.map((path) => httpGet(path, LARGE.key)),
      seconds,
    )
  const theirs = (requests: string[]) => () => load.onService(peer, requests, seconds)
  const ids = GETS.map((path) => path.replace('/api/quotes/', ''))
  const results = await interleave(
    {
      ourGet: ours(GETS),
      peerGet: theirs(ids.map((id) => httpPost(peer.requests.get(id)))),
      ourList10: ours(['/api/quotes']),
      peerList10: theirs([httpPost(peer.requests.list10)]),
      ourList100: ours([LIST_100]),
      peerList100: theirs([httpPost(peer.requests.list100)]),
    },
    rounds,
    (round) =>
      console.log(round <= 0 ? `Warming up ${peer.name}` : `Round ${round} of ${rounds} with ${peer.name}`),
  )
  return {
    goals: [
      againstPeer('peerGet', results.ourGet, results.peerGet),
      againstPeer('peerList10', results.ourList10, results.peerList10),
      againstPeer('peerList100', results.ourList100, results.peerList100),
    ],
    loads: [
      figureOf(`${peer.name} get`, results.peerGet),
      figureOf(`${peer.name} list10`, results.peerList10),
      figureOf(`${peer.name} list100`, results.peerList100),
    ],
  }
}
