/**
 * A payer sends another amount than the quote's, and the account of the refund has no room for it.
 * Source: wire contract 5.7 (FUNDING_AMOUNT_MISMATCH); D-033, D-130.
 */
import { CurrentCaller } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { Store } from "@countersign/core/store"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { foreignClient, intoWallet, newCustomer, textAt } from "./ForeignClient.ts"

describe("another amount than the quote's, for an account that cannot count its refund", () => {
  it.each([
    [1, "COMPLETED", 0],
    [0, "FAILED", 1],
  ])("with room for %i more ends with a refund %s, and %i of unapplied money", async (more, status, unapplied) => {
    await using client = await foreignClient()
    const { get, pay, post } = client
    const { customerId, walletId } = await newCustomer(client)
    const found = await get(`/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
    const accountId = textAt(found, "data", 0, "id")
    // From an account of its own, whose balance is counted exactly as well.
    const { platformId } = await pay.run(CurrentCaller.use(Effect.succeed))
    const elsewhere = {
      id: "outside:elsewhere:USDC",
      platformId,
      customerId: null,
      currency: "USDC",
      floor: null,
    } as const
    const balance = amountMax - 2499 + (1 - more)
    const moved = {
      from: elsewhere.id,
      to: `available:${accountId}`,
      amount: balance,
      currency: "USDC",
      reference: "r",
    } as const
    const account = { ...elsewhere, id: moved.to, customerId, floor: 0 } as const
    const set = changeSet({ operationId: "fill", ledgerAccounts: [elsewhere, account], transfers: [moved] })
    expect(await pay.run(Store.use(({ commit }) => commit(set)))).toMatchObject({ _tag: "Committed" })
    const source = { sourceType: "REALTIME_FUNDING", customerId, currency: "USDC", cryptoNetwork: "BASE" }
    const quote = await post("/quotes", intoWallet(source, walletId))
    const send = { quoteId: textAt(quote, "id"), currencyCode: "USDC", currencyAmount: 2499 }
    expect(await post("/sandbox/send", send)).toMatchObject({
      status: 200,
      body: { status: "FAILED", failureReason: "FUNDING_AMOUNT_MISMATCH", refund: { status } },
    })
    const listed = await get("/unapplied-money")
    expect(listed).toMatchObject({ status: 200, body: { totalCount: unapplied } })
    const kept = (await pay.books()).filter(({ balance, id }) => id.startsWith("unapplied:") && balance !== 0)
    expect(kept.map(({ balance, currency }) => [balance, currency])).toEqual(unapplied === 1 ? [[2499, "USDC"]] : [])
  })
})
