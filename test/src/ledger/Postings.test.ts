/** The postings of every movement of money in one currency, copied by hand from where they are decided. D-033, D-091, D-092, D-114. */

import { describe, expect, it } from "vitest"
import * as Postings from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import type * as Changes from "../../../packages/core/src/store/Changes.ts"
import { internalAccount, movedBy, referencesOf } from "./Movements.ts"

const account = internalAccount("a", "USD")
const moved = { account, amount: 100, reference: "Transaction:1" }
const owes = (amount: number) => ({ balance: -amount, sequence: 7 })
const free = Postings.zeroReceivable

const available = "available:a"
const held = "held:a"
const outside = "outside:Customer:1:USD"
const transit = "transit:Customer:1:USD"
const receivable = "receivable:Customer:1:USD"
const unapplied = "unapplied:Transaction:1"
const transitOpened = `${transit} from 0`
const unappliedOpened = `${unapplied} from 0`
const counterpartOpened = "unapplied-outside:Transaction:1 from anywhere"
const receivableOpened = `${receivable} from anywhere`

interface Movement {
  readonly moves: ReadonlyArray<string>
  readonly opened?: ReadonlyArray<string>
  readonly rests?: ReadonlyArray<string>
}
const cases: ReadonlyArray<readonly [string, () => Changes.Changes, Movement]> = [
  ["money comes in", () => Postings.credit(moved, free), { moves: [`${outside} > ${available}: 100 USD`] }],
  [
    "money comes in for somebody who owes part of it",
    () => Postings.credit(moved, owes(40)),
    {
      moves: [`${outside} > ${receivable}: 40 USD`, `${outside} > ${available}: 60 USD`],
      rests: [`${receivable} at 7`],
    },
  ],
  [
    "money comes in for somebody who owes all of it",
    () => Postings.credit(moved, owes(100)),
    { moves: [`${outside} > ${receivable}: 100 USD`], rests: [`${receivable} at 7`] },
  ],
  [
    "money comes in for somebody who owes more",
    () => Postings.credit(moved, owes(101)),
    { moves: [`${outside} > ${receivable}: 100 USD`], rests: [`${receivable} at 7`] },
  ],
  [
    "money comes in that the account cannot take",
    () => Postings.creditToUnapplied(moved),
    {
      moves: [`unapplied-outside:Transaction:1 > ${unapplied}: 100 USD`],
      opened: [counterpartOpened, unappliedOpened],
    },
  ],
  [
    "the same, for somebody who owes part of it",
    () => Postings.repayThenCreditToUnapplied(moved, owes(30)),
    {
      moves: [`${outside} > ${receivable}: 30 USD`, `unapplied-outside:Transaction:1 > ${unapplied}: 70 USD`],
      opened: [counterpartOpened, unappliedOpened],
      rests: [`${receivable} at 7`],
    },
  ],
  [
    "the same, for somebody who owes nothing",
    () => Postings.repayThenCreditToUnapplied(moved, free),
    {
      moves: [`unapplied-outside:Transaction:1 > ${unapplied}: 100 USD`],
      opened: [counterpartOpened, unappliedOpened],
    },
  ],
  ["money is held", () => Postings.hold(moved), { moves: [`${available} > ${held}: 100 USD`] }],
  ["a hold ends", () => Postings.release(moved), { moves: [`${held} > ${available}: 100 USD`] }],
  ["what was held leaves", () => Postings.capture(moved), { moves: [`${held} > ${outside}: 100 USD`] }],
  [
    "the house pays what is not there",
    () => Postings.chargeReceivable(moved),
    { moves: [`${receivable} > ${outside}: 100 USD`], opened: [receivableOpened] },
  ],
  [
    "money is given to a rail",
    () => Postings.send(moved),
    { moves: [`${held} > ${transit}: 100 USD`], opened: [transitOpened] },
  ],
  ["the rail delivers", () => Postings.deliver(moved), { moves: [`${transit} > ${outside}: 100 USD`] }],
  [
    "the bank returns it",
    () => Postings.returnPayout(moved),
    { moves: [`${outside} > ${transit}: 100 USD`], opened: [transitOpened] },
  ],
  [
    "the account has it back",
    () => Postings.refund(moved, free),
    { moves: [`${transit} > ${available}: 100 USD`], opened: [transitOpened] },
  ],
  [
    "the account has back what its owner does not owe",
    () => Postings.refund(moved, owes(40)),
    {
      moves: [`${transit} > ${receivable}: 40 USD`, `${transit} > ${available}: 60 USD`],
      opened: [transitOpened],
      rests: [`${receivable} at 7`],
    },
  ],
  [
    "it does not find back",
    () => Postings.refundToUnapplied(moved),
    { moves: [`${transit} > ${unapplied}: 100 USD`], opened: [transitOpened, unappliedOpened] },
  ],
  [
    "a pull is taken back that is still there",
    () => Postings.returnPull(moved, { balance: 100, sequence: 9 }),
    { moves: [`${available} > ${outside}: 100 USD`] },
  ],
  [
    "a pull is taken back of which a part is there",
    () => Postings.returnPull(moved, { balance: 99, sequence: 9 }),
    {
      moves: [`${available} > ${outside}: 99 USD`, `${receivable} > ${outside}: 1 USD`],
      opened: [receivableOpened],
      rests: [`${available} at 9`],
    },
  ],
  [
    "a pull is taken back of which nothing is there",
    () => Postings.returnPull(moved, { balance: 0, sequence: 9 }),
    { moves: [`${receivable} > ${outside}: 100 USD`], opened: [receivableOpened], rests: [`${available} at 9`] },
  ],
]

it.each(cases)("%s", (_what, decided, { moves, opened = [], rests = [] }) => {
  const changes = decided()
  expect(movedBy(changes)).toEqual({ moves, opened, rests })
  expect(referencesOf(changes)).toEqual(["Transaction:1"])
})

it("what is owed is what the balance lacks", () => {
  expect([-5, 0, 5].map((balance) => Postings.outstandingDebt({ balance, sequence: 0 }))).toEqual([5, 0, 0])
  expect(free).toEqual({ balance: 0, sequence: 0 })
})

describe("a change shows on an account", () => {
  it.each([
    ["that spends", () => Postings.hold(moved), true],
    ["whose hold is given to a rail", () => Postings.send(moved), true],
    ["that takes money", () => Postings.credit(moved, free), true],
    ["of which the second transfer alone is", () => Postings.credit(moved, owes(40)), true],
    ["not where the money stays under way", () => Postings.deliver(moved), false],
    ["not where nothing moves", () => ({}), false],
  ] as const)("%s", (_what, decided, isShown) => {
    const changes = decided()
    expect(Postings.changesBalanceOf(account, changes)).toBe(isShown)
    expect(Postings.changesBalanceOf(internalAccount("b", "USD"), changes)).toBe(false)
  })
})

it("the balances are told as the commit leaves them, and observed for it", () => {
  const told = Postings.balanceEvent((type) => `${type}:1`, 5000, account)
  expect(told.observes).toEqual([available, held])
  expect(told.events).toMatchObject([
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
  expect(told.jobs).toHaveLength(1)
})
