/**
 * A recorded run from outside: clients over HTTP at several processes on a PostgreSQL server, while processes are killed, the server
 * restarts, its connections break, and time jumps over midnight. What the clients were answered and what the webhook endpoint received is
 * then held against what the documents promise.
 */
import { setTimeout } from "node:timers/promises"
import { randomInts } from "../adapter-postgres/Histories.ts"
import { urlOf } from "../adapter-postgres/PostgresServer.ts"
import { createCellViews } from "../cells/CellViews.ts"
import { bearer, client } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { platformAt } from "../e2e/Flow.ts"
import { receiver } from "../e2e/Receiver.ts"
import { faultServer } from "../faults/FaultServer.ts"
import { type Fleet, fleet } from "../faults/Fleet.ts"
import { networkTo } from "../faults/Network.ts"
import { type Ask, insisting, textIn } from "./Asking.ts"
import { newClients } from "./Clients.ts"
import { type Arrival, eventProblems } from "./EventLaws.ts"
import { newHistory } from "./History.ts"

export interface HistoryRunOptions {
  readonly seed: number
  readonly rounds: number
  readonly processes: number
  readonly clients: number
  /** Of each client in each round. */
  readonly steps: number
  readonly cells?: number
  readonly log?: (line: string) => void
}

export interface HistorySummary {
  readonly calls: number
  readonly unanswered: number
  readonly kills: number
  readonly restarts: number
  readonly breaks: number
  readonly events: number
  readonly problems: ReadonlyArray<string>
}

const requestMillis = 8000
/** The service answers after 20 seconds how far it came. */
const clockMillis = 30_000
const hourMillis = 3_600_000
const dayMillis = 24 * hourMillis

/** How long a network swallows what is sent, before its connections break. */
const silenceMillis = 1000

/** An event that came so much later than it was written may be overtaken: others wait for it for half a minute. */
const lateMillis = 20_000

/** Sends at a process that is up, and with what it is not answered in time, or not with an outcome, it is not known. */
const askAt =
  (group: Fleet, withinMillis = requestMillis): Ask =>
  async (method, path, { body, key, token } = {}) => {
    const base = await eventually("a process", group.anyBase, (found) => found !== undefined, 120_000)
    if (base === undefined) return undefined
    const send = token === undefined ? platformAt(base) : client(base, bearer(token))
    try {
      const reply = await send(method, path, {
        ...(body === undefined ? {} : { body }),
        ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
        signal: AbortSignal.timeout(withinMillis),
      })
      return reply.status >= 500 ? undefined : reply
    } catch {
      return undefined
    }
  }

export const historyRun = async (options: HistoryRunOptions): Promise<HistorySummary> => {
  const { cells = 1, clients: clientCount, log = () => undefined, processes, rounds, seed, steps } = options
  const randomInt = randomInts(seed)
  await using server = await faultServer()
  const database = await server.create()
  await using network = await networkTo(server.folder)
  const arrivals: Array<Omit<Arrival, "isLate"> & { readonly at: number; readonly written: number }> = []
  await using hooks = await receiver({
    onDelivery: ({ event }) => void arrivals.push({ ...event, at: Date.now(), written: Date.parse(event.timestamp) }),
  })
  await using group = await fleet({
    url: urlOf(network.folder, database.name),
    webhookUrl: hooks.url,
    roles: Array.from({ length: processes }, () => "all" as const),
    randomInt,
    options: ["--cells", String(cells)],
  })
  const ask = askAt(group)
  const askLong = askAt(group, clockMillis)
  const insist = insisting(ask)

  /** How far business time was ahead in each phase of the run. */
  const aheads = [0]
  const advanceTo = async (time: number) => {
    const to = new Date(time).toISOString()
    /** The answer that the time is there may be lost, and then the same call is refused. */
    const advanced = async () => {
      const { now } = (await insist("GET", "/sandbox/clock")).body
      if (Date.parse(String(now)) >= time) return { isComplete: true, now }
      return {
        isComplete: (await askLong("POST", "/sandbox/clock/advance", { body: { to } }))?.body["isComplete"],
        now,
      }
    }
    // A process that was killed while it moved the time keeps others from it for seconds.
    await eventually("the clock", advanced, ({ isComplete }) => isComplete === true, 240_000)
    aheads.push(Number((await insist("GET", "/sandbox/clock")).body["aheadMillis"]))
  }
  const noon = Math.ceil(Date.now() / dayMillis) * dayMillis + 12 * hourMillis
  await advanceTo(noon)

  const counts = { restarts: 0, breaks: 0 }
  const faults: ReadonlyArray<() => Promise<void>> = [
    async () => void group.killOne(),
    async () => void group.killOne(),
    async () => {
      counts.restarts += 1
      await server.restart("immediate")
    },
    async () => {
      counts.breaks += 1
      network.pull()
    },
    async () => {
      counts.breaks += 1
      network.cut()
      await setTimeout(silenceMillis)
      network.pull()
      network.mend()
    },
  ]
  const history = newHistory()
  const clients = await newClients({ ask, history, randomInt })
  for (let round = 0; round < rounds; round++) {
    const calls = steps * clientCount
    let left = calls
    const life = async (): Promise<void> => {
      for (let more = steps; more > 0; more--) {
        left -= 1
        await clients.step()
      }
    }
    const after = async (share: number, what: () => Promise<void>) => {
      await eventually(
        "calls",
        () => left,
        (more) => more <= calls * (1 - share),
        120_000,
      )
      await what()
    }
    const fault = () => faults[randomInt(faults.length)]?.() ?? Promise.resolve()
    const midnight = () => clients.overMidnight(() => advanceTo(noon + round * dayMillis + 13 * hourMillis))
    await Promise.all([
      ...Array.from({ length: clientCount }, life),
      after(0.2, fault),
      after(0.4, midnight),
      after(0.6, fault),
      after(0.8, fault),
    ])
    await group.settled()
    await advanceTo(noon + (round + 1) * dayMillis)
    clients.forgetKeys()
    log(
      `${round + 1} rounds, ${history.counts().calls} calls, ${group.counts.kills} kills, ${counts.restarts} restarts`,
    )
  }
  const pool = database.pool({ max: 1 })
  if (cells > 1) await createCellViews(pool, cells)
  const jobs =
    "select concat_ws(' ', kind, state, attempt, error) as job from countersign.job where due_at <= $1 limit 5"
  await eventually(
    "no due job left",
    async () => (await pool.query(jobs, [noon + rounds * dayMillis])).rows,
    (rows) => rows.length === 0,
    120_000,
  )
  const isLate = ({ at, written }: { readonly at: number; readonly written: number }) =>
    Math.min(...aheads.map((ahead) => at + ahead - written).filter((millis) => millis >= -5000)) >= lateMillis
  const received = arrivals.map((one) => ({ ...one, isLate: isLate(one) }))
  const eventIds = new Set(arrivals.map(({ id }) => id))
  for (const { record, transactionId } of clients.payments) {
    await history.call(record.calls, "look", async () =>
      textIn(await insist("GET", `/transactions/${transactionId}`), "status"),
    )
  }
  return {
    ...history.counts(),
    kills: group.counts.kills,
    ...counts,
    events: eventIds.size,
    problems: [...history.problems(), ...eventProblems(received, clients)],
  }
}
