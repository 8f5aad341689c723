/**
 * Parked jobs over HTTP: listed, resumed and dropped, each audited.
 * Source: D-354.
 */
import { Jobs, ParkedJobs } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

const jobId = (n: number) => `Job:00000000-0000-7000-8000-${String(n).padStart(12, "0")}`

/** Parks a job of a kind, as a worker does after its last attempt. */
const park = (pay: Harness, n: number, kind: string) =>
  pay.run(
    Effect.gen(function* () {
      const store = yield* Store
      const job = {
        id: jobId(n),
        queue: "work",
        kind,
        customerId: null,
        dueAt: 0,
        payload: { eventId: "none" },
      } as const
      yield* store.commit(changeSet({ operationId: `add ${n}`, jobs: [job] }))
      const [claimed] = yield* store.claim({
        queue: "work",
        worker: "test",
        businessNow: Number.MAX_SAFE_INTEGER,
        wallNow: 1,
        limit: 1,
        leavesReserve: false,
        leaseMillis: 1,
      })
      const fence = { id: jobId(n), attempt: claimed?.attempt ?? 0 }
      const returns = [{ ...fence, outcome: "parked", notBefore: 0, error: "no answer for a week" }] as const
      expect(yield* store.commit(changeSet({ operationId: `park ${n}`, returns }))).toMatchObject({ _tag: "Committed" })
    }),
  )

const parkedIds = async (pay: Harness, query = "") =>
  (at(await pay.send("GET", `/jobs/parked${query}`), "data") as ReadonlyArray<{ readonly id: string }>).map(
    ({ id }) => id,
  )
const audits = async (pay: Harness, operation: string) =>
  at(await pay.send("GET", `/audit-records?operation=${operation}`), "data")

describe("parked jobs", () => {
  it("are listed in pages, with their kind, their attempts and the last error", async () => {
    await using pay = await harness()
    for (const n of [1, 2, 3]) await park(pay, n, "webhook.deliver")
    const first = await pay.send("GET", "/jobs/parked?limit=2")
    expect(first.body).toMatchObject({
      hasMore: true,
      data: [
        { id: jobId(1), kind: "webhook.deliver", attempts: 1, error: "no answer for a week", isDroppable: true },
        { id: jobId(2) },
      ],
    })
    expect(await parkedIds(pay, `?limit=2&cursor=${String(at(first, "nextCursor"))}`)).toEqual([jobId(3)])
    expect(await pay.send("GET", "/jobs/parked?cursor=bad")).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT" },
    })
  })

  it("run again when they are resumed", async () => {
    await using pay = await harness()
    await park(pay, 1, "webhook.deliver")
    expect(await pay.send("POST", `/jobs/${jobId(1)}/resume`)).toMatchObject({ status: 200, body: { id: jobId(1) } })
    expect(await parkedIds(pay)).toEqual([])
    // The event does not exist, so that the delivery ends at once.
    expect(await pay.run(Jobs.use((workers) => workers.drain))).toBeGreaterThan(0)
    expect(await pay.run(Store.use((store) => store.jobs))).toEqual([])
    expect(await audits(pay, "JOB_RESUME")).toMatchObject([
      { actor: { type: "PLATFORM" }, target: jobId(1), details: { kind: "webhook.deliver", attempts: 1 } },
    ])
    expect((await pay.send("POST", `/jobs/${jobId(1)}/resume`)).status).toBe(404)
  })

  it("are dropped unless a record waits for them", async () => {
    await using pay = await harness()
    await park(pay, 1, "webhook.deliver")
    await park(pay, 2, "transfer.push")
    expect((await pay.send("POST", `/jobs/${jobId(1)}/drop`)).status).toBe(200)
    expect(await pay.send("POST", `/jobs/${jobId(2)}/drop`)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", details: { reason: "JOB_NOT_DROPPABLE" } },
    })
    expect(await parkedIds(pay)).toEqual([jobId(2)])
    await pay.run(ParkedJobs.use((jobs) => jobs.drop(jobId(2), true)))
    expect(await parkedIds(pay)).toEqual([])
    expect(await audits(pay, "JOB_DROP")).toMatchObject([
      { actor: { type: "SERVICE" }, details: { kind: "transfer.push", isForced: true } },
      { actor: { type: "PLATFORM" }, details: { kind: "webhook.deliver" } },
    ])
    expect((await pay.send("POST", `/jobs/${jobId(1)}/drop`)).status).toBe(404)
  })
})
