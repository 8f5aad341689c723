/** A rail that reports missing funds before a pull: the action is FAILED without an HTTP error or a transaction. Wire contract 1.6; D-011. */

import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import type { PullInspection } from "../../../packages/core/src/model/transaction/TransferInRules.ts"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"
import { action, approve, held, submit, usage } from "./AgentSteps.ts"

const rail = (inspection: () => PullInspection) =>
  Layer.mergeAll(
    SandboxRates.layer,
    SandboxVerifier.layer,
    SuccessfulRails.layer({ inspectPull: () => Effect.sync(inspection) }),
  )

const none = { dailySpend: 0, monthlySpend: 0, dailyTransactionCount: 0 }

describe("missing funds that the rail reports before a pull", () => {
  it("fail an automatic transfer without a charge", async () => {
    await using pay = await agentWorld({}, { ports: rail(() => ({ pullable: true, funds: "insufficient" })) })
    const failed = await submit(pay, 100)
    expect(failed.status).toBe("FAILED")
    expect(failed).not.toHaveProperty("transaction")
    expect(await action(pay, failed.id)).toEqual(failed)
    expect(await usage(pay)).toMatchObject(none)
    expect(await pay.settle()).toBe(0)
  })

  // Proves: STATE-ACTION-14
  it("fail an approved transfer without a charge", async () => {
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
