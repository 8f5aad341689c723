/**
 * Random histories of one mint or burn: whatever order reports, polls and timers come in, it takes only arrows of its machine, ends once, and
 * stays as it ended.
 * Source: wire contract areas 1.6.6; D-390.
 */
import { StablecoinOperations } from "@countersign/core"
import type { ProviderReport } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { machines } from "@countersign/core/verify"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at } from "../customer/CustomerRequests.ts"
import { fakeProvider } from "./FakeProvider.ts"
import {
  bank,
  burn,
  burnBody,
  idOf,
  mint,
  mintBody,
  operation,
  type Pay,
  stablecoin,
  stablecoinWorld,
  wallet,
} from "./StablecoinWorld.ts"

const { StablecoinOperationMachine } = machines
type Status = (typeof StablecoinOperationMachine.states)[number]

const reports = fc.constantFrom<ProviderReport>(
  { _tag: "AwaitsFunding", fundingInstructions: { rail: "WIRE", address: "other" } },
  { _tag: "Accepted" },
  { _tag: "Processing", providerStatus: "busy" },
  { _tag: "Completed", providerStatus: "complete" },
  { _tag: "Failed", reason: "FUNDING_RETURNED" },
  { _tag: "Failed", reason: "DESTINATION_REJECTED", askAgainAt: 0 },
)
const steps = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant("report" as const), report: reports }),
    fc.record({ step: fc.constant("present state" as const), report: reports }),
    fc.record({ step: fc.constant("time" as const), minutes: fc.constantFrom(1, 60, 13 * 60, 7 * 24 * 60) }),
  ),
  { maxLength: 8 },
)

let pay: Pay
let coin: string
let accounts: { readonly wallet: string; readonly bank: string }
/** It is polled twice a day, so that a week is cheap. */
const provider = fakeProvider([], [], 12 * 60 * 60 * 1000)

beforeAll(async () => {
  pay = await stablecoinWorld({ ports: provider.layer, tape: false })
  coin = await stablecoin(pay)
  accounts = { wallet: await wallet(pay), bank: await bank(pay) }
})
afterAll(() => pay[Symbol.asyncDispose]())

const starts = fc.constantFrom(
  () => mint(pay, coin, mintBody(accounts.wallet)),
  () => mint(pay, coin, mintBody(accounts.wallet, { type: "ACH_DEBIT", externalAccountId: accounts.bank })),
  () => burn(pay, coin, burnBody(accounts.bank)),
  () => burn(pay, coin, burnBody(accounts.bank, { type: "PROVIDER_INTERNAL_BALANCE" })),
)

const read = async (id: string) => {
  const reply = await operation(pay, id)
  return { status: at(reply, "status") as Status, body: reply.body }
}

describe("a mint or burn", () => {
  it("takes only arrows of its machine, and ends once", async () => {
    await fc.assert(
      fc.asyncProperty(starts, reports, steps, async (start, first, history) => {
        provider.state.report = first
        const id = idOf(await start())
        let before = await read(id)
        expect(StablecoinOperationMachine.pathBetween("CREATED", before.status)).toBeDefined()
        for (const each of history) {
          if (each.step === "time") await pay.clock.advance(`${each.minutes} minutes`)
          else if (each.step === "present state") provider.state.report = each.report
          else await pay.run(StablecoinOperations.use((all) => all.report(id, each.report)))
          const after = await read(id)
          if (StablecoinOperationMachine.isTerminal(before.status)) expect(after).toEqual(before)
          else expect(StablecoinOperationMachine.pathBetween(before.status, after.status)).toBeDefined()
          const failed = after.status === "FAILED"
          expect(at({ body: after.body }, "failureReason") !== undefined).toBe(failed)
          before = after
        }
        provider.state.report = { _tag: "Completed" }
        await pay.clock.advance("8 days")
        expect(StablecoinOperationMachine.isTerminal((await read(id)).status)).toBe(true)
        expect(provider.begun.filter(({ reference }) => reference === id)).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
    expect(await pay.run(Store.use((store) => store.jobs))).toEqual([])
    const counted = await pay.send("DELETE", `/customers/${pay.customerId}`)
    expect(counted.status, "no open operation is left to block the deletion").toBe(200)
  }, 60_000)
})
