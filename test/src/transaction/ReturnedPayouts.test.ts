/**
 * Payouts that are delivered and may still come back: the rail is asked about them as long as it says so.
 * Source: architecture, "Jobs, external calls and time"; ports/Rails.ts.
 */
import type { RailOutcome } from "@countersign/core/ports"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import { Clock, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, fund, pushTo, read, report } from "../../../packages/test/src/harness/TransferCalls.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

describe("a delivered payout that may still come back", () => {
  /** A rail that delivers at once, and answers the questions that follow in this order. */
  const railSaying = (...answers: ReadonlyArray<"not yet" | "perhaps later" | "no" | "yes">) => {
    const asked: Array<number> = []
    const inquire = () =>
      Effect.map(Clock.currentTimeMillis, (now): RailOutcome => {
        const answer = answers[asked.length] ?? "no"
        asked.push(now)
        if (answer === "not yet") return { _tag: "Later", at: now + 60_000 }
        if (answer === "perhaps later") return { _tag: "Done", askAgainAt: now + 3_600_000 }
        return { _tag: answer === "yes" ? "Returned" : "Done" }
      })
    const push = () =>
      Effect.map(Clock.currentTimeMillis, (now): RailOutcome => ({ _tag: "Done", askAgainAt: now + 60_000 }))
    const rails = SuccessfulRails.layer({ inquire, push })
    return { asked, ports: Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, rails) }
  }

  it("is asked about again at each time that the rail names, until it has come back", async () => {
    const rail = railSaying("not yet", "perhaps later", "yes")
    await using pay = await agentWorld({}, { ports: rail.ports })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    const submittedAt = await pay.clock.now()
    await pay.clock.advance("2 hours")
    expect(rail.asked.map((at) => (at - submittedAt) / 60_000)).toEqual([1, 2, 62])
    expect(await read(pay, id)).toMatchObject({
      status: "FAILED",
      failureReason: "PAYOUT_RETURNED",
      refund: { status: "COMPLETED" },
    })
    expect(await balances(pay)).toEqual([1000, 1000])
  })

  it("is not asked about again once the rail says that it stays", async () => {
    const rail = railSaying("not yet", "no", "yes")
    await using pay = await agentWorld({}, { ports: rail.ports })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.clock.advance("2 days")
    expect(rail.asked).toHaveLength(2)
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(await balances(pay)).toEqual([600, 600])
  })

  it("that its bank has returned meanwhile is not asked about", async () => {
    const rail = railSaying("not yet", "not yet")
    await using pay = await agentWorld({}, { ports: rail.ports })
    await fund(pay, 1000)
    const { id } = await pushTo(pay, "000", { amount: 400 })
    await pay.clock.advance("90 seconds")
    await report(pay, id, { _tag: "Returned" })
    await pay.clock.advance("1 day")
    expect(rail.asked).toHaveLength(1)
    expect(await balances(pay)).toEqual([1000, 1000])
  })
})
