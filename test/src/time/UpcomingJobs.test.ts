/**
 * What falls due next over HTTP: in order of business time, in pages, and without payloads.
 * Source: D-455.
 */
import { Platforms } from "@countersign/core"
import type { UpcomingJobListResponse } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { agentHarness } from "../../../packages/test/src/harness/AgentHarness.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { fund, pushTo } from "../../../packages/test/src/harness/TransferCalls.ts"
import { advance } from "./Clock.ts"

const upcoming = async (pay: Harness, query = "") => {
  const reply = await pay.send("GET", `/operator/jobs${query}`)
  expect(reply.status).toBe(200)
  return reply.body as UpcomingJobListResponse
}

describe("upcoming jobs", () => {
  it("show what a transfer waits for, and that it is done after the time has passed", async () => {
    await using pay = await agentHarness({}, { suffixes: ["005"] })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "005", { amount: 400 })
    await pay.settle()
    const { data, hasMore, now } = await upcoming(pay)
    expect([now, hasMore]).toEqual(["2026-11-21T12:00:00Z", false])
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^Job:/u),
        kind: "transfer.push",
        customerId: pay.customerId,
        subject: id,
        dueAt: "2026-11-21T12:00:30Z",
        isDue: false,
        state: "WAITING",
        attempts: expect.any(Number),
        isBehind: false,
      },
    ])
    await advance(pay, { seconds: 60 })
    expect((await upcoming(pay)).data).toEqual([])
  })

  it("show a webhook that was not acknowledged with the real time of its next attempt, and the one behind it", async () => {
    await using pay = await agentHarness({}, { suffixes: ["000"] })
    pay.inbox.answerNext(...Array.from({ length: 20 }, () => 500))
    await fund(pay, 1000)
    await pushTo(pay, "000", { amount: 400 })
    await pay.settle()
    const { data } = await upcoming(pay)
    const [first] = data
    expect(first).toMatchObject({ kind: "webhook.deliver", isDue: true, state: "WAITING", attempts: 1 })
    expect(Date.parse(first?.retryAt ?? "")).toBeGreaterThan(Date.parse("2026-11-21T12:00:00Z"))
    expect(first?.error).toBeDefined()
    expect(data.some(({ isBehind }) => isBehind)).toBe(true)
  })

  it("come in pages by due time, of the own platform only, and without payloads", async () => {
    await using pay = await harness()
    await pay.settle()
    const jobs = [900, 300, 600].map((dueAt, n) => ({
      id: `Job:00000000-0000-7000-8000-00000000000${n}`,
      queue: "work" as const,
      kind: "invitation.claim",
      customerId: null,
      dueAt,
      payload: { code: "confidential" },
    }))
    await pay.run(Store.use((store) => store.commit(changeSet({ operationId: "jobs", jobs }))))
    const first = await pay.send("GET", "/operator/jobs?limit=2")
    expect(JSON.stringify(first.body)).not.toContain("confidential")
    const { data, hasMore, nextCursor } = first.body as UpcomingJobListResponse
    expect([data.map(({ dueAt }) => dueAt), hasMore]).toEqual([
      ["1970-01-01T00:00:00.300Z", "1970-01-01T00:00:00.600Z"],
      true,
    ])
    const second = await upcoming(pay, `?limit=2&cursor=${nextCursor}`)
    expect(second).toMatchObject({ data: [{ dueAt: "1970-01-01T00:00:00.900Z" }], hasMore: false })
    expect(second.nextCursor).toBeUndefined()
    expect((await pay.send("GET", "/operator/jobs?cursor=bad")).status).toBe(400)
    const other = { clientId: "other", clientSecret: Redacted.make("other-secret"), name: "Other", currencies: [] }
    await pay.run(Platforms.use((platforms) => platforms.setUp(other)))
    const headers = { authorization: `Basic ${btoa("other:other-secret")}` }
    const theirs = await pay.send("GET", "/operator/jobs", { as: "nobody", headers })
    expect(theirs).toMatchObject({ status: 200, body: { data: [], hasMore: false } })
  })
})
