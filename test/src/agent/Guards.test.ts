/**
 * The guards of a transfer-in: a change that commits between its decision and its commit makes it decide again.
 * Source: architecture, "A change set is the only way to write" (guards); wire contract 1.4.
 */
import { Agents, type CurrentCaller } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import { type Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Services } from "../../../packages/test/src/harness/World.ts"
import { approve, attempt, held, submit } from "./AgentSteps.ts"
import { atFailPoints } from "./AtFailPoints.ts"

type Change = (pay: AgentWorld) => Effect.Effect<unknown, unknown, Services | CurrentCaller>

const rewrite = <K extends "ExternalAccount" | "InternalAccount">(
  kind: K,
  id: string,
  data: (stored: Stored<K>) => Stored<K>["data"],
) =>
  Operation.run({
    name: "test",
    load: (read) => read({ records: [{ kind, id }] }),
    decide: (read) => {
      const stored = read.record(kind, id)
      if (stored === undefined) throw new Error(`there is no record ${id}`)
      return Operation.answer(200, null, Changes.update(stored, data(stored)))
    },
  })

const changes: ReadonlyArray<readonly [string, string, Change]> = [
  ["the agent is paused", "FORBIDDEN", (pay) => Agents.use((agents) => agents.update(pay.agentId, { isPaused: true }))],
  ["the agent is deleted", "FORBIDDEN", (pay) => Agents.use((agents) => agents.remove(pay.agentId))],
  [
    "the limit is lowered",
    "FORBIDDEN",
    (pay) => Agents.use((agents) => agents.updatePolicy(pay.agentId, { spendingLimits: { perTransactionLimit: 899 } })),
  ],
  [
    "the source is deleted",
    "REFERENCE_NOT_FOUND",
    (pay) => rewrite("ExternalAccount", pay.sources["000"] ?? "", ({ data }) => ({ ...data, isDeleted: true })),
  ],
  [
    "the source is disabled",
    "INVALID_BANK_ACCOUNT",
    (pay) =>
      rewrite("ExternalAccount", pay.sources["000"] ?? "", ({ data }) => ({ ...data, status: "INACTIVE" as const })),
  ],
  [
    "the destination is frozen",
    "INVALID_INPUT",
    (pay) => rewrite("InternalAccount", pay.accountId, ({ data }) => ({ ...data, status: "FROZEN" as const })),
  ],
]

describe.each(changes)("when %s between decision and commit", (_label, code, change) => {
  it("refuses an automatic transfer", async () => {
    const { failPoints, allRan, during } = atFailPoints()
    await using pay = await agentWorld({}, { failPoints })
    during(["operation.decided", () => pay.run(change(pay))])
    const result = await attempt(pay, 900)
    expect(allRan()).toBe(true)
    expect(Result.isFailure(result) && result.failure).toMatchObject({ code })
  })

  it("refuses a transfer that the policy would hold", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await agentWorld(held, { failPoints })
    during(["operation.decided", () => pay.run(change(pay))])
    const result = await attempt(pay, 900)
    expect(Result.isFailure(result) && result.failure).toMatchObject({ code })
  })

  // Proves: STATE-ACTION-08
  it("fails an approved transfer", async () => {
    const { failPoints, during } = atFailPoints()
    await using pay = await agentWorld(held, { failPoints })
    const { id } = await submit(pay, 900)
    during(["operation.decided", () => pay.run(change(pay))])
    const decided = await approve(pay, id)
    expect(decided.status).toBe("FAILED")
    expect(decided).not.toHaveProperty("transaction")
  })
})
