/** The bank of the guide passes the suite of rails. */
import type { RailInstruction } from "@countersign/core/ports"
import { railsConformance } from "@countersign/test/conformance"
import { Effect } from "effect"
import { bankRails } from "./BankRails.ts"
import { testBank } from "./TestBank.ts"

const accountInfo = { accountType: "USD_ACCOUNT", accountNumber: "12345678", routingNumber: "021000021" } as const
const account = { accountId: "ExternalAccount:1", currency: "USD", accountInfo } as const
const pull = (amount: number): RailInstruction => ({
  _tag: "Pull",
  request: { reference: "", source: account, amount, submittedAt: 0 },
})
const push = (amount: number): RailInstruction => ({
  _tag: "Push",
  request: { reference: "", destination: account, amount, submittedAt: 0 },
})

const testSystem = testBank()
railsConformance("our bank", bankRails(testSystem.api), {
  instructions: [pull(500), pull(1_000_001), push(500), push(1_000_001)],
  executed: Effect.sync(() => testSystem.executed()),
})
