/** When a failed job is tried again, and when it is parked. Source: wire contract 6.2 and 11 (38); D-020. */
import { JobKinds } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  isDeferralExhausted,
  isExhausted,
  job,
  laneRuns,
  retryDelayMillis,
} from "../../../packages/core/src/store/JobKinds.ts"

const day = 24 * 60 * 60 * 1000

describe.each(JobKinds.keys)("a job %s", (kind) => {
  const { attemptsMax, firstWaitMillis, jitter, retryForMillis, waitMillisMax } = JobKinds.get(kind)

  it("is tried again until its attempts or its time are used up", () => {
    expect(isExhausted(kind, attemptsMax, 0, 0)).toBe(true)
    expect(isExhausted(kind, attemptsMax - 1, 0, retryForMillis)).toBe(true)
    if (attemptsMax > 1) expect(isExhausted(kind, attemptsMax - 1, 0, retryForMillis - 1)).toBe(false)
  })

  it("waits twice as long after each failure, up to a maximum, more or less by its jitter", () => {
    const waits = [1, 2, 3, 60].map((attempt) => retryDelayMillis(kind, attempt, 0.5))
    expect(waits).toEqual([1, 2, 4, 2 ** 40].map((times) => Math.min(times * firstWaitMillis, waitMillisMax)))
    expect(retryDelayMillis(kind, 1, 0)).toBe(Math.round(Math.min(firstWaitMillis, waitMillisMax) * (1 - jitter)))
    expect(waitMillisMax).toBeGreaterThanOrEqual(firstWaitMillis)
  })
})

it("an operator may drop only jobs for which no record waits", () => {
  const droppable = JobKinds.entries.flatMap(([kind, { isDroppable }]) => (isDroppable === true ? [kind] : []))
  expect(droppable).toEqual([
    "approval.escalate",
    "card.state",
    "invitation.end",
    "invitation.claim",
    "accounts.open",
    "stablecoin.check",
    "webhook.deliver",
    "webhook.test",
    "webhook.resend",
  ])
})

it("work on money is retried for seven days", () => {
  const forDays = (kind: (typeof JobKinds.keys)[number]) => JobKinds.get(kind).retryForMillis / day
  for (const kind of ["transfer.pull", "transfer.push", "quote.pull", "quote.deliver"] as const)
    expect(forDays(kind), kind).toBe(7)
})

it("a deferred job is parked seven days after its first claim", () => {
  expect([7 * day - 1, 7 * day].map((now) => isDeferralExhausted(0, now))).toEqual([false, true])
})

it("a new job has the queue of its kind, an id of its customer, and the hold of its lane", () => {
  const drawn: Array<string> = []
  const ids = (type: string, customerId?: string | null) => {
    drawn.push(`${type} of ${customerId}`)
    return `${type}:1`
  }
  const options = { customerId: "Customer:1", dueAt: 5, payload: { a: 1 }, lane: "event:x" }
  for (const kind of JobKinds.keys) {
    const { laneHoldMillis, queue } = JobKinds.get(kind)
    expect(job(ids, kind, options)).toEqual({
      id: "Job:1",
      kind,
      queue,
      ...options,
      ...(laneHoldMillis === undefined ? {} : { laneHoldMillis }),
    })
  }
  expect(new Set(drawn)).toEqual(new Set(["Job of Customer:1"]))
})

it("a worker claims the longest run of a lane that any kind allows, of the kinds that allow one", () => {
  const allowed = JobKinds.entries.flatMap(([kind, { laneRunMax }]) =>
    laneRunMax === undefined ? [] : [[kind, laneRunMax] as const],
  )
  expect(laneRuns.kinds).toEqual(allowed.map(([kind]) => kind))
  expect(laneRuns.jobsMax).toBe(Math.max(...allowed.map(([, most]) => most)))
  expect(laneRuns.jobsMax).toBeGreaterThan(1)
})
