/** The suite of rails: the sandbox and a bank with a memory pass it, and a bank with any one fault does not. Source: D-321, D-444. */
import { type RailInstruction, Rails } from "@countersign/core/ports"
import { SandboxRails } from "@countersign/core/sandbox"
import { railsConformance } from "@countersign/test/conformance"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { railsChecks } from "../../../packages/test/src/conformance/railsChecks.ts"
import { failedChecks } from "./FailedChecks.ts"
import { bankFaults, faultyBank } from "./FaultyBank.ts"

const instruct = (accountNumber: string, amount: number): ReadonlyArray<RailInstruction> => {
  const accountInfo = { accountType: "USD_ACCOUNT" as const, accountNumber, routingNumber: "021000021" }
  const account = { accountId: "ExternalAccount:1", currency: "USD" as const, accountInfo }
  return [
    { _tag: "Pull", request: { reference: "pull", source: account, amount, submittedAt: 0 } },
    { _tag: "Push", request: { reference: "push", destination: account, amount, submittedAt: 0 } },
  ]
}

const magic = ["000", "002", "005"].flatMap((suffix) => instruct(`12345678${suffix}`, 500))
railsConformance("sandbox", SandboxRails.layer, {
  instructions: magic,
  executed: Effect.succeed(0),
  isStateless: true,
})

const instructions = [500, 501, 502, 503, 504].flatMap((amount) => instruct("12345678", amount))
const bank = faultyBank()
railsConformance("a bank with a memory", bank.layer, { instructions, executed: bank.executed })

const own = faultyBank()
const traced = Layer.effect(
  Rails,
  Effect.map(Rails, (rails) => ({ ...rails, push: Effect.fn("Bank.push")(rails.push) })),
)
railsConformance("a bank that traces its calls", Layer.provide(traced, own.layer), {
  instructions,
  executed: own.executed,
})

describe("a bank that", () => {
  const ofInquiry = "an inquiry about an instruction has its outcome and moves nothing again"
  const once = "an instruction that is repeated is executed once, and has one outcome"
  const overlapping = "an instruction that arrives twice at the same time is executed once, and has one outcome"
  const distinct = "instructions that differ in their references alone are each executed, unless they are refused"
  const later = "an outcome that is not known yet names the business time at which to ask, and a final one stays"
  const cancelled = "a cancellation that is repeated has one outcome, and agrees with that of the instruction"
  const reading = "asking about a refund, or whether an account can be pulled, moves nothing"
  const unknown = "an inquiry about what the rail has not received moves nothing and does not count as received"
  /** A check that fails for each fault; others may fail, too. */
  const noticedBy: { readonly [fault in (typeof bankFaults)[number]]: string } = {
    "forgets what it has executed": once,
    "looks for a repetition before it waits for its own bank": overlapping,
    "takes equal amounts for repetitions": distinct,
    "executes by inquiry": unknown,
    "has never received anything": ofInquiry,
    "has received everything": unknown,
    "names times by the system's clock": later,
    "names times in seconds": later,
    "refuses a repetition": once,
    "executes what it refuses": distinct,
    "answers before it executes, and never does": distinct,
    "changes its mind after a day": later,
    "cancels what it has delivered": cancelled,
    "delivers what it has cancelled": cancelled,
    "refuses to cancel again": cancelled,
    "pulls to see whether it can": reading,
    "pays back when asked": reading,
    throws: ofInquiry,
  }

  it.each(bankFaults)("%s does not pass", async (fault) => {
    const { executed, layer } = faultyBank(fault)
    expect(await failedChecks(railsChecks(layer, { instructions, executed }))).toContain(noticedBy[fault])
  })
})
