/** The postings of every movement of money in one currency, copied by hand. D-033, D-091, D-092, D-114. */

import { describe, expect, it } from "vitest"
import * as Postings from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import type * as Changes from "../../../packages/core/src/store/Changes.ts"
import { internalAccount, referencesOf, summaryOf } from "./Movements.ts"

const account = internalAccount("a", "USD")
const movement = { account, amount: 100, reference: "Transaction:1" }
const owes = (amount: number) => ({ balance: -amount, sequence: 7 })
const noDebt = Postings.zeroReceivable

const available = "available:a"
const held = "held:a"
const outside = "outside:Customer:1:USD"
const transit = "transit:Customer:1:USD"
const receivable = "receivable:Customer:1:USD"
const unapplied = "unapplied:Transaction:1"
const transitOpened = `${transit} with floor 0`
const unappliedOpened = `${unapplied} with floor 0`
const counterpartOpened = "unapplied-outside:Transaction:1 with floor unbounded"
const receivableOpened = `${receivable} with floor unbounded`

interface Expected {
  readonly transfers: ReadonlyArray<string>
  readonly opened?: ReadonlyArray<string>
  readonly assertions?: ReadonlyArray<string>
}
const cases: ReadonlyArray<readonly [string, () => Changes.Changes, Expected]> = [
  [
    "a credit goes to the available account",
    () => Postings.credit(movement, noDebt),
    { transfers: [`${outside} > ${available}: 100 USD`] },
  ],
  [
    "a credit repays a smaller debt first",
    () => Postings.credit(movement, owes(40)),
    {
      transfers: [`${outside} > ${receivable}: 40 USD`, `${outside} > ${available}: 60 USD`],
      assertions: [`${receivable} at 7`],
    },
  ],
  [
    "a credit of the amount of the debt only repays it",
    () => Postings.credit(movement, owes(100)),
    { transfers: [`${outside} > ${receivable}: 100 USD`], assertions: [`${receivable} at 7`] },
  ],
  [
    "a credit below the debt only repays part of it",
    () => Postings.credit(movement, owes(101)),
    { transfers: [`${outside} > ${receivable}: 100 USD`], assertions: [`${receivable} at 7`] },
  ],
  [
    "a credit that the account cannot accept goes to the unapplied account",
    () => Postings.creditToUnapplied(movement),
    {
      transfers: [`unapplied-outside:Transaction:1 > ${unapplied}: 100 USD`],
      opened: [counterpartOpened, unappliedOpened],
    },
  ],
  [
    "a credit that the account cannot accept repays a smaller debt first",
    () => Postings.repayThenCreditToUnapplied(movement, owes(30)),
    {
      transfers: [`${outside} > ${receivable}: 30 USD`, `unapplied-outside:Transaction:1 > ${unapplied}: 70 USD`],
      opened: [counterpartOpened, unappliedOpened],
      assertions: [`${receivable} at 7`],
    },
  ],
  [
    "a credit that the account cannot accept is unapplied in full without a debt",
    () => Postings.repayThenCreditToUnapplied(movement, noDebt),
    {
      transfers: [`unapplied-outside:Transaction:1 > ${unapplied}: 100 USD`],
      opened: [counterpartOpened, unappliedOpened],
    },
  ],
  [
    "a hold moves money from available to held",
    () => Postings.hold(movement),
    { transfers: [`${available} > ${held}: 100 USD`] },
  ],
  [
    "a release moves money from held to available",
    () => Postings.release(movement, noDebt),
    { transfers: [`${held} > ${available}: 100 USD`] },
  ],
  [
    "a release repays a debt of the owner first",
    () => Postings.release(movement, owes(40)),
    {
      transfers: [`${held} > ${receivable}: 40 USD`, `${held} > ${available}: 60 USD`],
      assertions: [`${receivable} at 7`],
    },
  ],
  [
    "a capture moves held money outside",
    () => Postings.capture(movement),
    { transfers: [`${held} > ${outside}: 100 USD`] },
  ],
  [
    "a charge beyond the balance becomes a receivable",
    () => Postings.chargeReceivable(movement),
    { transfers: [`${receivable} > ${outside}: 100 USD`], opened: [receivableOpened] },
  ],
  [
    "a payment that a rail accepts is in transit",
    () => Postings.send(movement),
    { transfers: [`${held} > ${transit}: 100 USD`], opened: [transitOpened] },
  ],
  [
    "a delivery moves money from transit to outside",
    () => Postings.deliver(movement),
    { transfers: [`${transit} > ${outside}: 100 USD`] },
  ],
  [
    "a returned payout is in transit again",
    () => Postings.returnPayout(movement),
    { transfers: [`${outside} > ${transit}: 100 USD`], opened: [transitOpened] },
  ],
  [
    "a refund goes to the available account",
    () => Postings.refund(movement, noDebt),
    { transfers: [`${transit} > ${available}: 100 USD`], opened: [transitOpened] },
  ],
  [
    "a refund repays a debt of the owner first",
    () => Postings.refund(movement, owes(40)),
    {
      transfers: [`${transit} > ${receivable}: 40 USD`, `${transit} > ${available}: 60 USD`],
      opened: [transitOpened],
      assertions: [`${receivable} at 7`],
    },
  ],
  [
    "a refund that cannot be delivered goes to the unapplied account",
    () => Postings.refundToUnapplied(movement),
    { transfers: [`${transit} > ${unapplied}: 100 USD`], opened: [transitOpened, unappliedOpened] },
  ],
  [
    "a returned pull debits a sufficient balance",
    () => Postings.returnPull(movement, { balance: 100, sequence: 9 }),
    { transfers: [`${available} > ${outside}: 100 USD`] },
  ],
  [
    "a returned pull debits an insufficient balance and makes the rest a receivable",
    () => Postings.returnPull(movement, { balance: 99, sequence: 9 }),
    {
      transfers: [`${available} > ${outside}: 99 USD`, `${receivable} > ${outside}: 1 USD`],
      opened: [receivableOpened],
      assertions: [`${available} at 9`],
    },
  ],
  [
    "a returned pull becomes a receivable when the balance is 0",
    () => Postings.returnPull(movement, { balance: 0, sequence: 9 }),
    {
      transfers: [`${receivable} > ${outside}: 100 USD`],
      opened: [receivableOpened],
      assertions: [`${available} at 9`],
    },
  ],
]

it.each(cases)("%s", (_title, decide, { assertions = [], opened = [], transfers }) => {
  const changes = decide()
  expect(summaryOf(changes)).toEqual({ transfers, opened, assertions })
  expect(referencesOf(changes)).toEqual(["Transaction:1"])
})

it.each<[string, () => Changes.Changes]>([
  ["a credit", () => Postings.credit(movement, noDebt)],
  ["a credit that repays a debt", () => Postings.credit(movement, owes(40))],
  ["a credit of held money", () => Postings.creditFromHeld(movement, noDebt)],
  ["a release", () => Postings.release(movement, noDebt)],
  ["a refund", () => Postings.refund(movement, noDebt)],
  ["a credit of unapplied money", () => Postings.applyUnapplied(movement, noDebt)],
])("%s depends on the account's record, which every new debt writes", (_title, decide) => {
  expect(decide().guards).toEqual([{ kind: "InternalAccount", id: "a", version: 1 }])
  expect(decide().updates ?? []).toEqual([])
})

it.each<[string, () => Changes.Changes, boolean]>([
  ["a charge", () => Postings.chargeReceivable(movement), true],
  ["a returned pull beyond the balance", () => Postings.returnPull(movement, { balance: 99, sequence: 9 }), true],
  ["a returned pull within the balance", () => Postings.returnPull(movement, { balance: 100, sequence: 9 }), false],
  ["a hold", () => Postings.hold(movement), false],
  ["a capture", () => Postings.capture(movement), false],
])("%s writes the account's record only if it leaves a debt", (_title, decide, isWritten) => {
  const changes = decide()
  const record = { kind: "InternalAccount", id: "a", version: 1, data: account.data }
  expect(changes.updates ?? []).toEqual(isWritten ? [record] : [])
  const after = Postings.accountAfter(account, changes, 5000)
  expect(after).toEqual(isWritten ? { ...account, version: 2, updatedAt: 5000 } : account)
})

it("the outstanding debt is the amount below zero", () => {
  expect([-5, 0, 5].map((balance) => Postings.outstandingDebt({ balance, sequence: 0 }))).toEqual([5, 0, 0])
  expect(noDebt).toEqual({ balance: 0, sequence: 0 })
})

describe("changesBalanceOf", () => {
  it.each([
    ["detects a hold", () => Postings.hold(movement), true],
    ["detects a payment out of a hold", () => Postings.send(movement), true],
    ["detects a credit", () => Postings.credit(movement, noDebt), true],
    ["detects an account that only the second transfer credits", () => Postings.credit(movement, owes(40)), true],
    ["ignores a delivery out of transit", () => Postings.deliver(movement), false],
    ["ignores a change without transfers", () => ({}), false],
  ] as const)("%s", (_title, decide, expected) => {
    const changes = decide()
    expect(Postings.changesBalanceOf(account, changes)).toBe(expected)
    expect(Postings.changesBalanceOf(internalAccount("b", "USD"), changes)).toBe(false)
  })
})

it("a balance event has placeholders for the balances after the commit, which it observes", () => {
  const changes = Postings.balanceEvent((type) => `${type}:1`, 5000, account)
  expect(changes.observes).toEqual([available, held])
  expect(changes.events).toMatchObject([
    {
      type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      customerId: "Customer:1",
      subject: "a",
      data: {
        body: { id: "a", balance: { amount: 0 }, totalBalance: { amount: 0 } },
        placeholders: [
          { path: ["balance", "amount"], balances: [available] },
          { path: ["totalBalance", "amount"], balances: [available, held] },
        ],
      },
    },
  ])
  expect(changes.jobs).toHaveLength(1)
})
