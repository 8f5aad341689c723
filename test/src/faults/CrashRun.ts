/**
 * A crash run: processes under load are killed at random moments and restarted, the database server crashes now and then, and the final
 * state is audited.
 */
import { randomInts } from "../adapter-postgres/Histories.ts"
import { createCellViews } from "../cells/CellViews.ts"
import { basic, client } from "../e2e/Client.ts"
import { eventually } from "../e2e/Deadline.ts"
import { credentials } from "../e2e/Flow.ts"
import { receiver } from "../e2e/Receiver.ts"
import { problems } from "./CrashAudit.ts"
import { crashClient, newCustomers, type ReceivedResponses } from "./CrashClients.ts"
import { faultServer } from "./FaultServer.ts"
import { fleet, type Role } from "./Fleet.ts"

export interface CrashOptions {
  readonly seed: number
  /** How often a process is killed, and after how many kills the database server crashes. */
  readonly kills: number
  readonly killsPerCrash: number
  readonly roles: ReadonlyArray<Role>
  readonly clients: number
  /** The maximum number of responses between two kills. */
  readonly answersMax: number
  /** One of how many responses makes the webhook endpoint refuse a delivery, which then waits for its next attempt. 0: none. */
  readonly responsesPerRefusal?: number
  readonly log?: (line: string) => void
  /** The number of cells of the store; 1 by default. */
  readonly cells?: number
}

export interface CrashSummary {
  readonly kills: number
  readonly databaseCrashes: number
  readonly requests: number
  /** The transfers that were answered, and those whose client gave up. */
  readonly acknowledged: number
  readonly givenUp: number
  readonly replays: number
  readonly approvals: number
  readonly rejections: number
  /** The requests that received 503, and those without a response. */
  readonly busy: number
  readonly broken: number
  readonly events: number
  readonly deliveries: number
  readonly failedStarts: number
  readonly seconds: number
  /** From the moment when all processes were up again until the last job had ended. */
  readonly drainSeconds: number
  readonly problems: ReadonlyArray<string>
}

const customerCount = 6

export const crashRun = async (options: CrashOptions): Promise<CrashSummary> => {
  const { answersMax, cells = 1, clients, kills, killsPerCrash, responsesPerRefusal = 40, roles, seed } = options
  const { log = () => undefined } = options
  const startedAt = performance.now()
  const randomInt = randomInts(seed)
  await using server = await faultServer()
  const database = await server.create()
  await using hooks = await receiver()
  await using group = await fleet({
    url: database.url,
    webhookUrl: hooks.url,
    roles,
    randomInt,
    options: ["--cells", String(cells)],
  })
  const customers = await newCustomers(group, customerCount)

  const counts = { requests: 0, busy: 0, broken: 0, replays: 0, approvals: 0, rejections: 0 }
  const responses: ReceivedResponses = { submitted: [], counts }
  let databaseCrashes = 0
  let crashing = Promise.resolve()
  let untilKill = 1 + randomInt(answersMax)
  let isOver = false
  let afterLast = answersMax
  /** Counts responses and kills a process after a random number of them. */
  const continues = (): boolean => {
    if (isOver) return false
    // A webhook endpoint that fails now and then.
    if (responsesPerRefusal > 0 && randomInt(responsesPerRefusal) === 0) hooks.answerNext(500)
    if (group.counts.kills === kills) {
      afterLast -= 1
      isOver = afterLast === 0
      return !isOver
    }
    untilKill -= 1
    if (untilKill <= 0 && group.killOne()) {
      untilKill = 1 + randomInt(answersMax)
      if (group.counts.kills % killsPerCrash === 0) {
        databaseCrashes += 1
        crashing = crashing.then(() => server.restart("immediate"))
      }
      log(
        `${group.counts.kills} kills, ${databaseCrashes} database crashes, ${responses.submitted.length} transfers, ${counts.requests} requests`,
      )
    }
    return true
  }
  const running = Array.from({ length: clients }, (_, n) =>
    crashClient({ fleet: group, customers, randomInt: randomInts(seed * 1000 + n), received: responses, continues }),
  )
  try {
    await Promise.all(running)
  } finally {
    isOver = true
  }
  await Promise.allSettled(running)
  await crashing
  await group.settled()
  const settledAt = performance.now()
  const pool = database.pool({ max: 2 })
  if (cells > 1) await createCellViews(pool, cells)
  await eventually(
    "no job left",
    async () =>
      (
        await pool.query<{ readonly job: string }>(
          "select concat_ws(' ', kind, state, attempt, error) as job from countersign.job limit 5",
        )
      ).rows,
    (jobs) => jobs.length === 0,
    120_000,
  )
  const drainSeconds = (performance.now() - settledAt) / 1000
  const publicKey = (
    await client(new URL(group.anyBase() ?? "").origin, basic(credentials.clientId, credentials.clientSecret))(
      "GET",
      "/webhooks/public-key",
    )
  ).text
  const acknowledged = responses.submitted.filter(({ answer }) => answer !== undefined).length
  return {
    kills: group.counts.kills,
    databaseCrashes,
    ...counts,
    acknowledged,
    givenUp: responses.submitted.length - acknowledged,
    events: new Set(hooks.received.map(({ event }) => event.id)).size,
    deliveries: hooks.received.length,
    failedStarts: group.counts.failedStarts,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    drainSeconds: Math.round(drainSeconds),
    problems: await problems(pool, responses, hooks.received, publicKey),
  }
}
