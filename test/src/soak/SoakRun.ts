/**
 * A soak run: agents, cards, quotes and wallets at a bounded rate over HTTP at one api process and two worker processes, of which one is killed
 * now and then. Samples are taken, and judged at the end; then everything is audited, and the retention of what is left ends.
 * Source: D-515.
 */
import { setTimeout as pause } from "node:timers/promises"
import { randomInts } from "../adapter-postgres/Histories.ts"
import { eventually } from "../e2e/Deadline.ts"
import { platformAt } from "../e2e/Flow.ts"
import { problemsOfRecords } from "../faults/CrashAudit.ts"
import { newCustomers } from "../faults/CrashClients.ts"
import { faultServer } from "../faults/FaultServer.ts"
import { fleet } from "../faults/Fleet.ts"
import { agentTraffic } from "./AgentTraffic.ts"
import { cardTraffic } from "./CardTraffic.ts"
import type { Timing, Verdict } from "./Judgement.ts"
import { dueJobs, endRetention } from "./Retention.ts"
import { type Sample, sample } from "./Samples.ts"
import { soakReceiver } from "./SoakReceiver.ts"
import { soakRequests } from "./SoakRequests.ts"
import { soakVerdict } from "./SoakVerdict.ts"
import { walletTraffic } from "./WalletTraffic.ts"

export interface SoakOptions {
  readonly seed: number
  readonly seconds: number
  /** How many steps begin in a second; a step makes one to five requests. */
  readonly perSecond: number
  /** The mean time between two kills of a worker. */
  readonly secondsPerKill: number
  readonly onSample?: (sample: Sample, timings: ReadonlyArray<Timing>) => void
}

export interface SoakSummary extends Verdict {
  readonly requests: number
  readonly busy: number
  readonly kills: number
  readonly transfers: number
  readonly events: number
  readonly deliveries: number
  readonly refusals: number
  readonly samples: ReadonlyArray<Sample>
  readonly timings: ReadonlyArray<Timing>
  readonly expiredRows: number
  readonly expiredRowsAfterSweeps: number
}

const people = { agents: 6, cards: 2, wallets: 3 }
const clients = 16
const samplesMin = 20
const secondsPerSample = 60
export const soakRun = async (options: SoakOptions): Promise<SoakSummary> => {
  const { onSample = () => undefined, perSecond, seconds, secondsPerKill, seed } = options
  const randomInt = randomInts(seed)
  await using server = await faultServer(["autovacuum_naptime=15s", "shared_buffers=256MB", "max_wal_size=2GB"])
  const database = await server.create()
  // Its statements wait for each other, and for a machine that is busy.
  const pool = database.pool({ max: 2, query_timeout: 600_000, connectionTimeoutMillis: 600_000 })

  await using hooks = await soakReceiver(randomInts(seed + 2))
  const roles = ["api", "worker", "worker"] as const
  await using group = await fleet({ url: database.url, webhookUrl: hooks.url, roles, randomInt })
  const base = group.anyBase() ?? ""
  hooks.verifyWith((await platformAt(new URL(base).origin)("GET", "/webhooks/public-key")).text)

  const requests = soakRequests(() => base, perSecond)
  const customers = await newCustomers(group, people.agents)
  const agents = agentTraffic(requests, customers, randomInts(seed + 1))
  const cards = await Promise.all(
    Array.from({ length: people.cards }, (_, n) => cardTraffic(base, requests, randomInts(seed + 10 + n))),
  )
  const wallets = await Promise.all(
    Array.from({ length: people.wallets }, (_, n) => walletTraffic(base, requests, `wallet-${n}`)),
  )
  const steps = [
    ...Array.from({ length: 6 }, () => agents.step),
    ...Array.from({ length: 2 }, () => () => cards[randomInt(cards.length)]?.()),
    () => wallets[randomInt(wallets.length)]?.quote(),
    () => wallets[randomInt(wallets.length)]?.wallet(),
  ]

  const start = requests.seconds()
  const since = () => requests.seconds() - start
  let isOver = false
  const isRunning = () => !isOver && since() < seconds
  const traffic = async () => {
    while (isRunning()) {
      await requests.turn()
      await steps[randomInt(steps.length)]?.()
    }
  }
  const killing = async () => {
    while (isRunning()) {
      await pause(secondsPerKill * 500 + randomInt(secondsPerKill * 1000))
      if (isRunning()) group.killOne("worker")
    }
  }
  const samples: Array<Sample> = []
  const sampling = async () => {
    while (isRunning()) {
      await pause(Math.min(secondsPerSample, seconds / samplesMin) * 1000)
      const taken = await sample(pool, group, since())
      onSample(taken, requests.timings)
      samples.push(taken)
    }
  }
  const running = [...Array.from({ length: clients }, traffic), killing(), sampling()]
  try {
    await Promise.all(running)
  } finally {
    isOver = true
  }
  await Promise.allSettled(running)
  await group.settled()
  await eventually(
    "no job that is due",
    () => dueJobs(pool),
    (left) => left === 0,
    300_000,
  )

  const timings = requests.timings.flatMap((timing) =>
    timing.seconds < start ? [] : [{ ...timing, seconds: timing.seconds - start }],
  )
  const verdict = soakVerdict(samples, timings, seconds)
  const { deliveries, ids, refusals, unsigned } = hooks.arrivals()
  const audited = await problemsOfRecords(pool, agents, { ids, unsigned })
  const { parkedJobs } = await sample(pool, group, since())
  const retention = await endRetention(
    pool,
    requests,
    customers.map(({ agentId }) => agentId),
  )
  return {
    requests: requests.counts.requests,
    busy: requests.counts.busy,
    kills: group.counts.kills,
    transfers: agents.submitted.length,
    events: ids.size,
    deliveries,
    refusals,
    samples,
    timings,
    expiredRows: retention.expired,
    expiredRowsAfterSweeps: retention.afterSweeps,
    problems: [
      ...verdict.problems,
      ...audited,
      ...(parkedJobs === 0 ? [] : [`${parkedJobs} jobs are parked`]),
      ...retention.problems,
    ],
    notes: verdict.notes,
  }
}
