/**
 * Debts of a cardholder: any incoming money pays them first, whichever card transaction caused them. Money for a closed or full
 * account pays the debt before the rest is set aside.
 * Source: wire contract 3.5; D-033, D-114, D-176.
 */
import { InternalAccounts } from "@countersign/core"
import { Store } from "@countersign/core/store"
import { describe, expect, it } from "vitest"
import {
  approved,
  balanceOf,
  booksOfRole,
  clear,
  fundAccount,
  type ReadyCard,
  readyCard,
  simulate,
  simulateReturn,
  transaction,
} from "./CardWorld.ts"

const owedOf = async (pay: ReadyCard) => 0 - (await booksOfRole(pay, "receivable"))

/** Asserts that the books balance per currency. */
const checkBooks = async (pay: ReadyCard) => {
  for (const [currency, books] of Map.groupBy(await pay.books(), (book) => book.currency)) {
    expect([currency, books.reduce((total, { balance }) => total + balance, 0)]).toEqual([currency, 0])
  }
}

/** Makes a purchase that clears for more than the account holds. */
const overdraw = async (pay: ReadyCard, authorized: number, cleared: number) => {
  const id = await approved(pay, pay.cardId, authorized)
  await clear(pay, id, cleared)
  return id
}

const storedOf = (pay: ReadyCard, id: string) =>
  pay
    .run(Store.use((store) => store.read({ records: [{ kind: "CardTransaction", id }] })))
    .then((read) => read.record("CardTransaction", id)?.data)

describe("several debts", () => {
  it("pays the sum of two debts by returns and deposits before it credits the account", async () => {
    await using pay = await readyCard({}, 300)
    const [one, two] = [await approved(pay, pay.cardId, 200), await approved(pay, pay.cardId, 100)]
    await clear(pay, one, 230)
    await clear(pay, two, 150)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 0], 80])
    // The return exceeds the debt of the second purchase; the rest pays the debt of the first.
    await simulateReturn(pay, two, 60)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 0], 20])
    await fundAccount(pay, pay.accountId, 50)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[30, 30], 0])
    await simulateReturn(pay, one, 5)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[35, 35], 0])
    await checkBooks(pay)
  })

  it("pays a debt by a card credit", async () => {
    await using pay = await readyCard({}, 100)
    await overdraw(pay, 100, 140)
    const credit = await approved(pay, pay.cardId, 60, { kind: "credit_authorization" })
    await clear(pay, credit, 60)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[20, 20], 0])
    await checkBooks(pay)
  })
})

describe("a hold of a debtor", () => {
  /** A card whose hold of 60 is open while its owner owes 30. */
  const holding = async () => {
    const pay = await readyCard({}, 100)
    const open = await approved(pay, pay.cardId, 60)
    await overdraw(pay, 40, 70)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 60], 30])
    return { ...pay, open, [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
  }

  it("pays the debt when it expires, and only the rest can be spent", async () => {
    await using pay = await holding()
    await pay.clock.advance("7 days")
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[30, 30], 0])
    await checkBooks(pay)
  })

  it("pays the debt by the rest that a failed pull releases", async () => {
    await using pay = await readyCard({}, 100)
    const open = await approved(pay, pay.cardId, 60, { suffix: "006" })
    await overdraw(pay, 40, 70)
    await clear(pay, open, 20)
    expect(await transaction(pay, open)).toMatchObject({ status: "EXCEPTION" })
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[10, 30], 0])
    await checkBooks(pay)
  })

  it("pays the debt by the part that an advice releases", async () => {
    await using pay = await holding()
    await simulate(pay, pay.cardId, "authorization_advice", { cardTransactionId: pay.open, amount: 40 })
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 40], 10])
    await clear(pay, pay.open, 40)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 0], 10])
    await checkBooks(pay)
  })
})

describe("return and debt", () => {
  it("credits a return in full after the debt was paid, and takes it back on reversal", async () => {
    await using pay = await readyCard({}, 100)
    const id = await overdraw(pay, 100, 130)
    expect(await owedOf(pay)).toBe(30)
    await fundAccount(pay, pay.accountId, 100)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[70, 70], 0])
    await simulateReturn(pay, id, 130)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[200, 200], 0])
    expect(await transaction(pay, id)).toMatchObject({ status: "REFUNDED" })
    await simulate(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[70, 70], 0])
    await checkBooks(pay)
  })

  it("restores the debt when the return that paid it is reversed", async () => {
    await using pay = await readyCard({}, 100)
    const id = await overdraw(pay, 100, 130)
    await simulateReturn(pay, id, 130)
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[100, 100], 0])
    await simulate(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 0], 30])
    await checkBooks(pay)
  })

  it("shows the account as a reversal leaves it that makes its owner a debtor", async () => {
    await using pay = await readyCard({}, 100)
    const id = await overdraw(pay, 100, 100)
    await simulateReturn(pay, id, 100)
    await overdraw(pay, 90, 90)
    await pay.clock.advance("1 minute")
    await simulate(pay, pay.cardId, "return_reversal", { cardTransactionId: id })
    await pay.settle()
    expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[0, 0], 90])
    const { updatedAt } = await pay.run(InternalAccounts.use((accounts) => accounts.get(pay.accountId)))
    expect(Date.parse(updatedAt)).toBe(await pay.clock.now())
    expect(pay.inbox.ofType("INTERNAL_ACCOUNT.BALANCE_UPDATED").at(-1)?.data).toMatchObject({ updatedAt })
  })

  it("pays the debt once when a return and a deposit arrive concurrently", async () => {
    for (let seed = 0; seed < 5; seed++) {
      await using pay = await readyCard({ seed, interleave: seed }, 100)
      const id = await overdraw(pay, 100, 140)
      const both = await Promise.all([simulateReturn(pay, id, 50), fundAccount(pay, pay.accountId, 60)])
      expect(both.map(({ status }) => status)).toEqual([202, 200])
      expect([await balanceOf(pay), await owedOf(pay)]).toEqual([[70, 70], 0])
      await checkBooks(pay)
    }
  })
})

describe("money for an account that cannot receive it", () => {
  it("pays the debt of a closed account and sets the rest aside", async () => {
    await using pay = await readyCard({}, 100)
    const id = await overdraw(pay, 100, 100)
    expect((await pay.send("DELETE", `/customers/${pay.customerId}`)).status).toBe(200)
    expect((await clear(pay, id, 30)).status).toBe(202)
    expect(await owedOf(pay)).toBe(30)
    await simulateReturn(pay, id, 10)
    expect([await owedOf(pay), await booksOfRole(pay, "unapplied")]).toEqual([20, 0])
    expect(await storedOf(pay, id)).not.toHaveProperty("isUnapplied")
    await simulateReturn(pay, id, 50)
    expect([await owedOf(pay), await booksOfRole(pay, "unapplied")]).toEqual([0, 30])
    await simulateReturn(pay, id, 5)
    expect([await owedOf(pay), await booksOfRole(pay, "unapplied")]).toEqual([0, 35])
    expect(await storedOf(pay, id)).toMatchObject({ isUnapplied: true, refunds: [10, 50, 5] })
    await checkBooks(pay)
  })

  it("sets money for a full account aside and blocks the deletion of the customer", async () => {
    await using pay = await readyCard({}, 100)
    const id = await overdraw(pay, 100, 100)
    await pay.run(InternalAccounts.use((accounts) => accounts.fund(pay.accountId, Number.MAX_SAFE_INTEGER)))
    expect((await simulateReturn(pay, id, 40)).status).toBe(202)
    expect(await booksOfRole(pay, "unapplied")).toBe(40)
    expect(await storedOf(pay, id)).toMatchObject({ isUnapplied: true })
    const deletion = await pay.send("DELETE", `/customers/${pay.customerId}`)
    expect(deletion).toMatchObject({ status: 409, body: { code: "CONFLICT", details: { openTransactions: 1 } } })
    await checkBooks(pay)
  })
})
