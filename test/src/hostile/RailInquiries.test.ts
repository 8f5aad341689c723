/**
 * A rail that loses connections, and a process that ends around the call: each payment is instructed once.
 * Source: D-321; ports/Rails.ts.
 */
import type { InquiryOutcome, RailInstruction, RailOutcome } from "@countersign/core/ports"
import { SandboxRates, SandboxVerifier } from "@countersign/core/sandbox"
import type { FailPoint } from "@countersign/core/verify"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { type AgentWorld, agentWorld } from "../../../packages/test/src/harness/AgentWorld.ts"
import { balances, fund, pullFrom, pushTo, read } from "../../../packages/test/src/harness/TransferCalls.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"

const unknown: RailOutcome = { _tag: "Unknown", cause: "connection lost" }

/** A bank without a check for repeated references: it executes each instruction that reaches it. */
const bank = (calls: ReadonlyArray<"lost before" | "lost after" | "answered">, inquiriesLost = 0) => {
  const log: Array<string> = []
  const executed: Array<string> = []
  let instructed = 0
  let asked = 0
  const instruct = (reference: string) =>
    Effect.sync((): RailOutcome => {
      log.push("instruction")
      const call = calls[instructed] ?? "answered"
      instructed += 1
      if (call !== "lost before") executed.push(reference)
      return call === "answered" ? { _tag: "Done" } : unknown
    })
  const rails = SuccessfulRails.layer({
    pull: ({ reference }) => instruct(reference),
    push: ({ reference }) => instruct(reference),
    inquire: ({ request: { reference } }: RailInstruction) =>
      Effect.sync((): InquiryOutcome => {
        log.push("inquiry")
        asked += 1
        if (asked <= inquiriesLost) return unknown
        return executed.includes(reference) ? { _tag: "Done" } : { _tag: "NotReceived" }
      }),
  })
  return { log, executed, ports: Layer.mergeAll(SandboxRates.layer, SandboxVerifier.layer, rails) }
}

const settleAll = async (pay: AgentWorld) => {
  await pay.settle()
  for (let round = 0; round < 12; round++) await pay.clock.advance("10 minutes")
}

describe.each([
  ["pull", async (pay: AgentWorld) => (await pullFrom(pay, "000", 400)).id, 1400],
  ["push", async (pay: AgentWorld) => (await pushTo(pay, "000", { amount: 400 })).id, 600],
] as const)("a %s", (_, start, after) => {
  const completesOnce = async (pay: AgentWorld, executed: ReadonlyArray<string>) => {
    await fund(pay, 1000)
    const id = await start(pay)
    await settleAll(pay)
    expect(await read(pay, id)).toMatchObject({ status: "COMPLETED" })
    expect(await balances(pay)).toEqual([after, after])
    expect(executed).toEqual([id])
  }

  it.each([
    ["once, if the outcome is known", ["answered"], 0, ["instruction"]],
    ["once, if its answer was lost", ["lost after"], 0, ["instruction", "inquiry"]],
    ["once, if inquiries are lost, too", ["lost after"], 3, ["instruction", ...Array(4).fill("inquiry")]],
    ["again, if the bank has not received it", ["lost before"], 0, ["instruction", "inquiry", "instruction"]],
    [
      "again each time that the bank has not received it",
      ["lost before", "lost after"],
      0,
      ["instruction", "inquiry", "instruction", "inquiry"],
    ],
  ] as const)("is instructed %s", async (__, calls, inquiriesLost, expected) => {
    const { executed, log, ports } = bank(calls, inquiriesLost)
    await using pay = await agentWorld({}, { ports })
    await completesOnce(pay, executed)
    expect(log).toEqual(expected)
  })

  it.each<[FailPoint, ReadonlyArray<string>]>([
    ["transfer.submitted", ["inquiry", "instruction"]],
    ["transfer.asked", ["instruction", "inquiry"]],
  ])("is instructed once, if its process ends at %s", async (end, expected) => {
    const { executed, log, ports } = bank([])
    let ended = false
    const failPoints = (point: FailPoint) =>
      Effect.suspend(() => {
        if (point !== end || ended) return Effect.void
        ended = true
        return Effect.die(new Error("the process ended"))
      })
    await using pay = await agentWorld({}, { ports, failPoints })
    await completesOnce(pay, executed)
    expect(log).toEqual(expected)
  })
})
