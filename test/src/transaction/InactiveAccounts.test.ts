/**
 * Deposits for accounts that are not active: frozen, closed, or not open yet. Their money is held and goes back to its sender.
 * Source: wire contract areas 2.7 and 2.13; D-398, D-399, D-416.
 */
import { Deposits, Outcomes } from "@countersign/core"
import type { InternalAccount } from "@countersign/core/models"
import { describe, expect, it } from "vitest"
import * as Operation from "../../../packages/core/src/operation/Operation.ts"
import * as Changes from "../../../packages/core/src/store/Changes.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { bookProblems } from "../../../packages/test/src/model/Books.ts"
import { evm } from "../account/ExternalAccountRequests.ts"
import { atFailPoints } from "../agent/AtFailPoints.ts"
import { at } from "../customer/CustomerRequests.ts"
import { balances, bySuffix, eventsOf, fund, type Members, only, world } from "./DepositRequests.ts"

/** Gives an account a status that no call of the interface sets. */
const setStatus = (pay: Harness, id: string, status: InternalAccount["status"]) =>
  pay.run(
    Operation.run({
      name: "test",
      load: (read) => read({ records: [{ kind: "InternalAccount", id }] }),
      decide: (read) => {
        const stored = read.record("InternalAccount", id)
        if (stored === undefined) throw new Error(`there is no account ${id}`)
        return Operation.answer(200, null, Changes.update(stored, { ...stored.data, status }))
      },
    }),
  )

const report = (pay: Harness, accountId: string, depositId: string, more: Members = {}) =>
  pay.run(Deposits.use((deposits) => deposits.report({ accountId, amount: 900, source: {}, depositId, ...more })))

const done = (pay: Harness, id: string) => pay.run(Outcomes.use((outcomes) => outcomes.report(id, { _tag: "Done" })))

const later = async (pay: Harness) => {
  await pay.clock.advance("2 seconds")
  await pay.settle()
}

/** The balance of an account's ledger accounts, and what has come from outside. */
const booksOf = async (pay: Harness, accountId: string, customerId: string) => {
  const books = await pay.books()
  expect(bookProblems(books)).toEqual([])
  const of = (id: string) => books.find((book) => book.id === id)?.balance ?? 0
  return [of(`available:${accountId}`), of(`held:${accountId}`), of(`outside:${customerId}:USD`)]
}

const refunded = ["INCOMING_PAYMENT.FAILED", "INCOMING_PAYMENT.REFUND_PENDING", "INCOMING_PAYMENT.REFUND_COMPLETED"]

describe.each(["FROZEN", "CLOSED", "PENDING", "FAILED"] as const)("a deposit for an account that is %s", (status) => {
  it("is held and goes back to its sender, and leaves the money that was there", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    await fund(pay, account.id, 300)
    await setStatus(pay, account.id, status)
    const refused = await report(pay, account.id, "bank-1")
    const id = refused?.id ?? ""
    expect(refused).toMatchObject({
      status: "FAILED",
      failureReason: "COLLECTION_FAILED",
      refund: { status: "PENDING", reason: "TRANSACTION_FAILED" },
    })
    expect(await booksOf(pay, account.id, customerId)).toEqual([300, 900, -1200])
    expect(await balances(pay, account.id)).toEqual([300, 1200])
    await later(pay)
    expect(await only(pay, customerId)).toMatchObject({ id, status: "REFUNDED", refund: { status: "COMPLETED" } })
    expect(await booksOf(pay, account.id, customerId)).toEqual([300, 0, -300])
    expect(eventsOf(pay, id)).toEqual(refunded)
    expect(await report(pay, account.id, "bank-1")).toBeUndefined()
  })

  it("goes back although its screening would hold it, and is refused by the sandbox's own call", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    await setStatus(pay, account.id, status)
    const refused = await report(pay, account.id, "bank-1", { source: bySuffix("001") })
    expect(refused).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(refused).not.toHaveProperty("pendingReason")
    expect(await fund(pay, account.id, 5)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { reason: "DESTINATION_NOT_ACTIVE", status } },
    })
    await later(pay)
    expect(await booksOf(pay, account.id, customerId)).toEqual([0, 0, 0])
  })
})

describe("a held deposit", () => {
  it("whose account was frozen meanwhile goes back when its hold ends", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    const id = (await report(pay, account.id, "bank-1", { source: bySuffix("005") }))?.id ?? ""
    await setStatus(pay, account.id, "FROZEN")
    await done(pay, id)
    expect(await only(pay, customerId)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    expect(await booksOf(pay, account.id, customerId)).toEqual([0, 900, -900])
    await later(pay)
    expect(await booksOf(pay, account.id, customerId)).toEqual([0, 0, 0])
    expect(eventsOf(pay, id)).toEqual(["INCOMING_PAYMENT.PENDING", ...refunded])
  })

  it("goes back when its account is frozen between the decision and the commit of its release", async () => {
    const { allRan, during, failPoints } = atFailPoints()
    const { account, customerId, pay } = await world("USD", { failPoints })
    await using _ = pay
    const id = (await report(pay, account.id, "bank-1", { source: bySuffix("005") }))?.id ?? ""
    during(["operation.decided", () => setStatus(pay, account.id, "FROZEN")])
    await done(pay, id)
    expect(allRan()).toBe(true)
    expect(await booksOf(pay, account.id, customerId)).toEqual([0, 900, -900])
    await later(pay)
    expect(await only(pay, customerId)).toMatchObject({ status: "REFUNDED" })
  })

  it("goes back when the declaration of its wallet finds the account frozen", async () => {
    const { account, customerId, pay } = await world("USDC")
    await using _ = pay
    const address = `0x${"a".repeat(37)}005`
    const source = { accountIdentifier: address, cryptoNetwork: "ETHEREUM" as const }
    await report(pay, account.id, "chain-1", { source })
    await setStatus(pay, account.id, "FROZEN")
    const declared = { ...evm(address, { ownershipType: "THIRD_PARTY" }), customerId }
    expect(await pay.send("POST", "/customers/external-accounts", { body: declared })).toMatchObject({ status: 201 })
    await pay.settle()
    expect(await only(pay, customerId)).toMatchObject({ status: "FAILED", failureReason: "COLLECTION_FAILED" })
    await later(pay)
    expect(await balances(pay, account.id)).toEqual([0, 0])
  })

  it("stays held for a person when its frozen account's refund fails, and is not applied to that account", async () => {
    const { account, customerId, pay } = await world()
    await using _ = pay
    await setStatus(pay, account.id, "FROZEN")
    const id = (await report(pay, account.id, "bank-1", { source: bySuffix("003") }))?.id ?? ""
    await later(pay)
    expect(await booksOf(pay, account.id, customerId)).toEqual([0, 900, -900])
    const apply = () => pay.send("POST", `/unapplied-money/${id}/apply`, { body: {} })
    expect(await apply()).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } })
    await setStatus(pay, account.id, "ACTIVE")
    expect(await apply()).toMatchObject({ status: 200 })
    expect(await booksOf(pay, account.id, customerId)).toEqual([900, 0, -900])
  })
})

it("money that could not be given back may be applied to another account of its owner in the same currency", async () => {
  const { customerId, pay } = await world("USDB")
  await using _ = pay
  const listed = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDB`)
  const [from = "", to = ""] = (at(listed, "data") as ReadonlyArray<Members>).map(({ id }) => String(id))
  const source = { accountIdentifier: "sender-003", cryptoNetwork: "SPARK" as const }
  const id = (await report(pay, from, "chain-1", { source }))?.id ?? ""
  await later(pay)
  expect(await balances(pay, from)).toEqual([0, 900])
  const applied = await pay.send("POST", `/unapplied-money/${id}/apply`, { body: { accountId: to } })
  expect(applied).toMatchObject({ status: 200, body: { status: "APPLIED", accountId: to } })
  expect([await balances(pay, from), await balances(pay, to)]).toEqual([
    [0, 0],
    [900, 900],
  ])
  await pay.settle()
  expect(bookProblems(await pay.books())).toEqual([])
  const shown = pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").slice(-2)
  expect(shown.map(({ data }) => data["id"]).toSorted()).toEqual([from, to].toSorted())
})
