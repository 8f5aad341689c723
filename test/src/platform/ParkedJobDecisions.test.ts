/** What is shown of a parked job, and what its resumption and its drop write. D-354. */
import type { JobView } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import { decideParkedJob, toParkedJob } from "../../../packages/core/src/decision/platform/ParkedJobDecision.ts"
import { changesOf, contextOf, now, writtenTo } from "../card/StoredCards.ts"

const uuid = "00000000-0000-7000-8000-0000000000a7"
const platformId = `PlatformConfig:${uuid}`

describe("a parked job", () => {
  const job = (kind: string, more: Partial<JobView> = {}) =>
    ({
      id: "Job:1",
      platformId,
      customerId: null,
      queue: "work",
      kind,
      attempt: 7,
      state: "parked",
      dueAt: now,
      payload: {},
      ...more,
    }) as JobView
  const droppable = job("card.state")
  const awaited = job("rail.push", {
    lane: `rail:Transaction:${uuid}`,
    customerId: "Customer:1",
    error: "no answer",
  })

  it("is shown with the record that it works on", () => {
    expect(toParkedJob(droppable)).toEqual({
      id: "Job:1",
      kind: "card.state",
      attempts: 7,
      dueAt: "2026-03-02T08:00:00Z",
      isDroppable: true,
    })
    expect(toParkedJob(awaited)).toMatchObject({
      customerId: "Customer:1",
      subject: `Transaction:${uuid}`,
      error: "no answer",
      isDroppable: false,
    })
  })

  it.each<["resumed" | "dropped", JobView, boolean, object | undefined]>([
    ["resumed", droppable, false, { operation: "JOB_RESUME", details: { kind: "card.state", attempts: 7 } }],
    ["resumed", awaited, false, { operation: "JOB_RESUME", details: { kind: "rail.push", attempts: 7 } }],
    ["dropped", droppable, false, { operation: "JOB_DROP", details: { kind: "card.state", attempts: 7 } }],
    ["dropped", awaited, false, undefined],
    ["dropped", awaited, true, { operation: "JOB_DROP", details: { kind: "rail.push", attempts: 7, isForced: true } }],
  ])("is %s: %j, forced: %s", (outcome, parked, isForced, audit) => {
    const decision = decideParkedJob(outcome, isForced)({ job: parked }, contextOf())
    if (audit === undefined) {
      const details = { reason: "JOB_NOT_DROPPABLE", kind: "rail.push" }
      return expect(decision).toMatchObject({ refusal: { code: "CONFLICT", details }, changes: {} })
    }
    expect(changesOf(decision).returns).toEqual([{ id: "Job:1", attempt: 7, outcome }])
    const [record] = writtenTo(changesOf(decision), "AuditRecord")
    expect(record).toMatchObject(audit)
    expect(record).toHaveProperty("details", Object(audit).details)
  })

  it("does not exist", () => {
    expect(decideParkedJob("resumed")({ job: undefined }, contextOf())).toMatchObject({
      refusal: { code: "REFERENCE_NOT_FOUND" },
    })
  })
})
