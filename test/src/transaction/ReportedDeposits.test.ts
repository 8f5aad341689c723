/**
 * Deposits that a bank or chain reports: recorded once, held, released, taken back and given back, with balanced books.
 * Source: wire contract areas 2.7, 2.8 and 2.13; D-398, D-399.
 */
import { Deposits, Outcomes } from "@countersign/core"
import { DepositScreening, type RailOutcome } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { balances, bySuffix, eventsOf, type Members, only, world } from "./DepositRequests.ts"
import * as SuccessfulRails from "./SuccessfulRails.ts"

describe("a reported deposit", () => {
  const report = (pay: Harness, accountId: string, depositId: string, more: Members = {}) =>
    pay.run(Deposits.use((deposits) => deposits.report({ accountId, amount: 900, source: {}, depositId, ...more })))

  it("is recorded once, with all that its bank tells", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const more = {
      source: { accountHolderName: "John Sender", paymentRail: "WIRE" as const },
      sent: { amount: 1000, currency: "EUR" as const },
      exchangeRate: 1.08,
      fees: 3,
      description: "Rent",
    }
    const first = await report(pay, account.id, "bank-1", more)
    expect(first).toMatchObject({ status: "COMPLETED" })
    expect(await report(pay, account.id, "bank-1", more)).toBeUndefined()
    expect(await balances(pay, account.id)).toEqual([900, 900])
    expect(await only(pay, customerId)).toMatchObject({
      id: first?.id,
      sentAmount: { amount: 1000, currency: { code: "EUR" } },
      exchangeRate: 1.08,
      fees: 3,
      description: "Rent",
      source: { paymentRail: "WIRE" },
    })
  })

  it("is held for another reason, and released by the report of its outcome, once", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const held = await report(pay, account.id, "bank-1", { source: bySuffix("005") })
    const id = held?.id ?? ""
    for (const reason of ["WALLET_VERIFICATION_REQUIRED", "WALLET_VERIFICATION_REQUIRED"] as const) {
      await pay.run(Deposits.use((deposits) => deposits.hold(id, reason)))
    }
    expect(await only(pay, customerId)).toMatchObject({ pendingReason: "WALLET_VERIFICATION_REQUIRED" })
    const done = () => pay.run(Outcomes.use((outcomes) => outcomes.report(id, { _tag: "Done" })))
    await Promise.all([done(), done()])
    await pay.run(Deposits.use((deposits) => deposits.hold(id, "COMPLIANCE_REVIEW")))
    await pay.settle()
    expect(await balances(pay, account.id)).toEqual([900, 900])
    expect(eventsOf(pay, id)).toEqual([
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.PENDING",
      "INCOMING_PAYMENT.COMPLETED",
    ])
  })

  it.each(["COMPLIANCE_REJECTED", "COLLECTION_FAILED", "OFFRAMP_FAILED"] as const)(
    "that its screening refuses with %s shows it, in the events, too, and goes back",
    async (reason) => {
      const screening = Layer.succeed(DepositScreening, {
        screen: () => Effect.succeed({ _tag: "Refuse" as const, reason }),
        transactionHash: () => Effect.undefined,
      })
      const { account, customerId, pay } = await world("USD", { ports: Layer.merge(Sandbox.layer, screening) })
      await using _ = pay
      const id = (await report(pay, account.id, "bank-1"))?.id ?? ""
      await pay.clock.advance("2 seconds")
      await pay.settle()
      expect(await only(pay, customerId)).toMatchObject({ status: "REFUNDED", failureReason: reason })
      const events = pay.inbox.received.filter(({ data }) => data["id"] === id)
      expect(events.map(({ data, type }) => [type, data["failureReason"]])).toEqual([
        ["INCOMING_PAYMENT.FAILED", reason],
        ["INCOMING_PAYMENT.REFUND_PENDING", reason],
        ["INCOMING_PAYMENT.REFUND_COMPLETED", reason],
      ])
      expect(await balances(pay, account.id)).toEqual([0, 0])
    },
  )

  it("is taken back by its sender's bank while it is held, without a refund", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const held = await report(pay, account.id, "bank-1", { source: bySuffix("005") })
    await pay.run(Outcomes.use((outcomes) => outcomes.report(held?.id ?? "", { _tag: "Returned" })))
    const ended = await only(pay, customerId)
    expect(ended).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(ended).not.toHaveProperty("refund")
    expect(await balances(pay, account.id)).toEqual([0, 0])
  })

  it("for an account that is closed goes back to its sender", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    await pay.send("DELETE", `/customers/${customerId}`)
    const refused = await report(pay, account.id, "bank-1")
    expect(refused).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      refund: { status: "PENDING" },
    })
    await pay.clock.advance("2 seconds")
    await pay.settle()
    expect(await only(pay, customerId)).toMatchObject({ status: "REFUNDED" })
  })

  it("is given back by one instruction, however often the rail does not know its outcome", async () => {
    const pushes: Array<string> = []
    let inquiries = 0
    const unknown: RailOutcome = { _tag: "Unknown", cause: "no answer" }
    const rails = SuccessfulRails.layer({
      push: ({ reference }) =>
        Effect.sync(() => {
          pushes.push(reference)
          return unknown
        }),
      inquire: () => Effect.sync((): RailOutcome => (++inquiries < 3 ? unknown : { _tag: "Done" })),
    })
    const { account, customerId, pay } = await world("USD", { ports: Layer.merge(Sandbox.layer, rails) })
    await using _ = pay
    await report(pay, account.id, "bank-1", { source: bySuffix("002") })
    for (let round = 0; round < 5; round++) {
      await pay.clock.advance("1 minute")
      await pay.settle()
    }
    expect([pushes.length, inquiries]).toEqual([1, 3])
    const { refund, status } = await only(pay, customerId)
    expect([status, (refund as Members)["reference"]]).toEqual(["REFUNDED", pushes[0]])
  })

  it("keeps the books balanced: the total is available and held money, and a refused deposit leaves what was before", async () => {
    const { account, pay } = await world()
    await using _ = pay
    let available = 0
    let held = 0
    let number = 0
    const suffixes = fc.constantFrom("000", "002", "003", "005")
    const outcomes = fc.constantFrom<RailOutcome["_tag"] | undefined>("Done", "Refused", "Returned", undefined)
    const one = fc.record({ amount: fc.integer({ min: 1, max: 1_000_000 }), suffix: suffixes, outcome: outcomes })
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 6 }), async (deposits) => {
        for (const { amount, outcome, suffix } of deposits) {
          const source = bySuffix(suffix)
          const arrived = await report(pay, account.id, `bank-${++number}`, { amount, source })
          const id = arrived?.id ?? ""
          if (suffix === "005" && (outcome === "Done" || outcome === "Returned")) {
            await pay.run(Outcomes.use((all) => all.report(id, { _tag: outcome })))
          }
          if (suffix === "005" && outcome === "Refused") {
            await pay.run(Outcomes.use((all) => all.report(id, { _tag: "Refused", reason: "BANK_REJECTED" })))
          }
          await pay.clock.advance("2 seconds")
          await pay.settle()
          if (suffix === "000" || (suffix === "005" && outcome === "Done")) available += amount
          if (suffix === "003" || (suffix === "005" && outcome === undefined)) held += amount
          expect(await balances(pay, account.id)).toEqual([available, available + held])
        }
        const books = await pay.books()
        const total = books.reduce((sum, { balance }) => sum + balance, 0)
        expect(total).toBe(0)
      }),
      { numRuns: 6 },
    )
  })
})
