/** A rail that says beforehand that funds are missing: FAILED, not an HTTP error, and no transaction. Wire contract 1.6; D-011. */

import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import type { PullInspection } from "../../../packages/core/src/model/transaction/TransferInRules.ts"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { action, approve, held, submit, usage } from "../agent/AgentSteps.ts"
import * as SureRails from "../transaction/SureRails.ts"

const rail = (inspection: () => PullInspection) =>
  Layer.mergeAll(
    SandboxRates.layer,
    SandboxVerifier.layer,
    SureRails.layer({ inspectPull: () => Effect.sync(inspection) }),
  )

const none = { dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 0 }

describe("funds that are missing beforehand", () => {
  it("fail an automatic transfer, which charges nothing", async () => {
    await using pay = await agentWorld({}, { ports: rail(() => ({ pullable: true, funds: "insufficient" })) })
    const failed = await submit(pay, 100)
    expect(failed.status).toBe("FAILED")
    expect(failed).not.toHaveProperty("transaction")
    expect(await action(pay, failed.id)).toEqual(failed)
    expect(await usage(pay)).toMatchObject(none)
    expect(await pay.settle()).toBe(0)
  })

  // Proves: STATE-ACTION-14
  it("fail an approved transfer, which charges nothing", async () => {
    let funds: PullInspection["funds"] = "sufficient"
    await using pay = await agentWorld(held, { ports: rail(() => ({ pullable: true, funds })) })
    const { id } = await submit(pay, 100)
    funds = "insufficient"
    const failed = await approve(pay, id)
    expect(failed.status).toBe("FAILED")
    expect(failed).not.toHaveProperty("transaction")
    expect(await usage(pay)).toMatchObject(none)
  })
})
