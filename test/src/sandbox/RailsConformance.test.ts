/** The sandbox's rails, and a bank that remembers what it executed, answer inquiries as the port requires. Source: D-321. */
import type { RailInstruction, RailOutcome } from "@countersign/core/ports"
import { SandboxRails } from "@countersign/core/sandbox"
import { Effect } from "effect"
import { railsConformance } from "../../../packages/test/src/conformance/railsConformance.ts"
import * as SuccessfulRails from "../transaction/SuccessfulRails.ts"

const account = (accountNumber: string) => ({
  accountId: "ExternalAccount:1",
  currency: "USD" as const,
  accountInfo: { accountType: "USD_ACCOUNT" as const, accountNumber, routingNumber: "021000021" },
})

const instructions = ["000", "002", "005"].flatMap((suffix): ReadonlyArray<RailInstruction> => {
  const of = account(`12345678${suffix}`)
  return [
    { _tag: "Pull", request: { reference: `pull ${suffix}`, source: of, amount: 500, submittedAt: 0 } },
    { _tag: "Push", request: { reference: `push ${suffix}`, destination: of, amount: 500, submittedAt: 0 } },
  ]
})

railsConformance("sandbox", SandboxRails.layer, { instructions, executed: Effect.succeed(0), isStateless: true })

const executed: Array<string> = []
const execute = ({ reference }: RailInstruction["request"]) =>
  Effect.sync((): RailOutcome => {
    executed.push(reference)
    return { _tag: "Done" }
  })
const bank = SuccessfulRails.layer({
  pull: execute,
  push: execute,
  inquire: ({ request: { reference } }) =>
    Effect.sync(() => (executed.includes(reference) ? { _tag: "Done" } : { _tag: "NotReceived" })),
})
railsConformance("a bank with a memory", bank, { instructions, executed: Effect.sync(() => executed.length) })
