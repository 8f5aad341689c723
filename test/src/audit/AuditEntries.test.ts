/** The audit record of a decision: who acted, for whom, and what it says of the target, by the kind of caller. Source: D-111, D-478. */
import { tenant } from "@countersign/core"
import { describe, expect, it } from "vitest"
import { auditRecord } from "../../../packages/core/src/decision/audit/Audit.ts"
import { toAuditRecord } from "../../../packages/core/src/model/audit/AuditRecordResource.ts"
import { type Caller, operatorOf } from "../../../packages/core/src/store/Caller.ts"

const approver = { id: "ada", name: "Ada", proof: "SIGN_IN" } as never
const resender = { id: "ApiToken:r" }
const service = tenant("PlatformConfig:p")
const token: Caller = { ...service, tokenId: "ApiToken:t" }
const agent: Caller = { _tag: "Agent", platformId: "p", agentId: "Agent:a", customerId: "Customer:c", budget: "USD.0" }
const target = { id: "Card:c", platformId: "PlatformConfig:p", customerId: "Customer:c" }

const insertedBy = (caller: Caller, options?: Parameters<typeof auditRecord>[3], requestId?: string) => {
  const owners: Array<string | null | undefined> = []
  const ids = (type: string, customerId?: string | null) => {
    owners.push(customerId)
    return `${type}:new`
  }
  const { inserts = [], ...others } = auditRecord(
    { caller, ids: ids as never, requestId },
    "CARD_ISSUE" as never,
    target,
    options,
  )
  expect([Object.values(others).flat(), owners]).toEqual([[], ["Customer:c"]])
  const [inserted, ...more] = inserts
  expect([inserted?.kind, inserted?.id, more]).toEqual(["AuditRecord", "AuditRecord:new", []])
  return inserted
}
const actorOf = (caller: Caller, options?: Parameters<typeof auditRecord>[3]) =>
  Object(insertedBy(caller, options)?.data)["actor"]

describe("the actor of an audit record", () => {
  it.each<readonly [string, Caller, object]>([
    ["an agent", agent, { type: "AGENT", id: "Agent:a" }],
    ["an agent's request that is sent again", { ...agent, resender }, { type: "AGENT", id: "Agent:a", resender }],
    ["a token", token, { type: "PLATFORM", id: "ApiToken:t" }],
    ["a person on the console", { ...token, approver }, { type: "PLATFORM", id: "ApiToken:t", approver }],
    ["a token's request that is sent again", { ...token, resender }, { type: "PLATFORM", id: "ApiToken:t", resender }],
    ["the service", service, { type: "SERVICE" }],
    ["an operator", operatorOf("PlatformConfig:p", "root"), { type: "SERVICE", operator: "root" }],
  ])("is %s", (_, caller, actor) => {
    expect(actorOf(caller)).toEqual(actor)
  })

  it("is the named one of a request without credentials", () => {
    expect(actorOf(service, { by: { type: "AGENT", id: "Agent:b" } })).toEqual({ type: "AGENT", id: "Agent:b" })
  })
})

describe("an audit record", () => {
  it("is of an operation that was done, without details, unless it says more", () => {
    expect(insertedBy(token)?.data).toEqual({
      actor: { type: "PLATFORM", id: "ApiToken:t" },
      operation: "CARD_ISSUE",
      target: "Card:c",
      outcome: "DONE",
      details: {},
    })
    const more = { outcome: "REFUSED", details: { rule: "A", limit: 3 } } as const
    expect(insertedBy(token, more, "request-1")?.data).toMatchObject({ ...more, requestId: "request-1" })
  })

  it("belongs to the owner of its target, and is shown with its customer and time", () => {
    const inserted = insertedBy(token)
    expect(inserted).toMatchObject({ platformId: target.platformId, customerId: target.customerId })
    const stored = { ...Object(inserted), createdAt: Date.UTC(2026, 10, 21), updatedAt: 0, version: 1 }
    const shown = { id: "AuditRecord:new", target: "Card:c", createdAt: "2026-11-21T00:00:00Z" }
    expect(toAuditRecord(stored)).toEqual({ ...Object(inserted?.data), ...shown, customerId: "Customer:c" })
    expect(toAuditRecord({ ...stored, customerId: null })).not.toHaveProperty("customerId")
  })
})
