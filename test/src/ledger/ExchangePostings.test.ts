/** The postings of a payment that exchanges, copied by hand from where they are decided: each currency by itself. D-114, D-122. */

import { expect, it } from "vitest"
import * as Postings from "../../../packages/core/src/decision/transaction/ExchangeChanges.ts"
import type * as Changes from "../../../packages/core/src/store/Changes.ts"
import { internalAccount, movedBy, owner, referencesOf } from "./Movements.ts"

const nothing = { balance: 0, sequence: 0 }
/** 100 dollars, of which 3 and 2 are fees, for 80 euros, paid from an internal account to the outside. */
const paid: Postings.ExchangePayment = {
  owner,
  reference: "Transaction:1",
  sent: { amount: 100, currency: "USD" },
  exchange: {
    quoteId: "Quote:1",
    received: { amount: 80, currency: "EUR" },
    rate: { numerator: "1", denominator: "1" },
    fees: { service: 3, platform: 2 },
    funding: "ACCOUNT",
    isInternal: false,
  },
  source: internalAccount("a", "USD"),
  sourceReceivable: nothing,
  destination: undefined,
  destinationReceivable: nothing,
}
const free: Postings.ExchangePayment = { ...paid, exchange: { ...paid.exchange, fees: { service: 0, platform: 0 } } }
const pushed: Postings.ExchangePayment = { ...paid, source: undefined, exchange: { ...paid.exchange, funding: "PUSH" } }
const inside: Postings.ExchangePayment = { ...paid, destination: internalAccount("b", "EUR", "Customer:2") }
const mismatched: Postings.ExchangePayment = { ...pushed, exchange: { ...pushed.exchange, mismatch: 90 } }
const owing = (amount: number, sequence: number) => ({ balance: -amount, sequence })

const of = (role: string, currency: string) => `${role}:Customer:1:${currency}`
const opened = (role: string, currency: string) => `${of(role, currency)} from ${role === "transit" ? 0 : "anywhere"}`
const taken = ["exchange", "service-fee", "platform-fee"]

type Case = readonly [
  what: string,
  changes: () => Changes.Changes,
  moves: ReadonlyArray<string>,
  opened: ReadonlyArray<string>,
  rests?: ReadonlyArray<string>,
]
const cases: ReadonlyArray<Case> = [
  [
    "an account pays: exchange and fees are taken in, the other currency is on its way",
    () => Postings.send(paid),
    [
      `available:a > ${of("exchange", "USD")}: 95 USD`,
      `available:a > ${of("service-fee", "USD")}: 3 USD`,
      `available:a > ${of("platform-fee", "USD")}: 2 USD`,
      `${of("exchange", "EUR")} > ${of("transit", "EUR")}: 80 EUR`,
    ],
    [...taken.map((role) => opened(role, "USD")), opened("exchange", "EUR"), opened("transit", "EUR")],
  ],
  [
    "no fee, no posting of it",
    () => Postings.send(free),
    [`available:a > ${of("exchange", "USD")}: 100 USD`, `${of("exchange", "EUR")} > ${of("transit", "EUR")}: 80 EUR`],
    [opened("exchange", "USD"), opened("exchange", "EUR"), opened("transit", "EUR")],
  ],
  ...(
    [
      ["a payer pays from outside", pushed],
      ["and even where an account takes back what comes back", { ...pushed, source: paid.source }],
      ["or where the account is not there any more", { ...paid, source: undefined }],
    ] as const
  ).map(
    ([what, payment]) =>
      [
        what,
        () => Postings.send(payment),
        [
          `${of("outside", "USD")} > ${of("exchange", "USD")}: 95 USD`,
          `${of("outside", "USD")} > ${of("service-fee", "USD")}: 3 USD`,
          `${of("outside", "USD")} > ${of("platform-fee", "USD")}: 2 USD`,
          `${of("exchange", "EUR")} > ${of("transit", "EUR")}: 80 EUR`,
        ],
        [
          ...taken.flatMap((role) => [opened("outside", "USD"), opened(role, "USD")]),
          opened("exchange", "EUR"),
          opened("transit", "EUR"),
        ],
      ] as const,
  ),
  [
    "it is delivered outside",
    () => Postings.deliver(paid),
    [`${of("transit", "EUR")} > ${of("outside", "EUR")}: 80 EUR`],
    [opened("transit", "EUR"), opened("outside", "EUR")],
  ],
  [
    "it is delivered to an internal account",
    () => Postings.deliver(inside),
    [`${of("transit", "EUR")} > available:b: 80 EUR`],
    [opened("transit", "EUR")],
  ],
  [
    "it is delivered to somebody who owes part of it",
    () => Postings.deliver({ ...inside, destinationReceivable: owing(30, 4) }),
    [`${of("transit", "EUR")} > receivable:Customer:2:EUR: 30 EUR`, `${of("transit", "EUR")} > available:b: 50 EUR`],
    [opened("transit", "EUR"), opened("transit", "EUR")],
    ["receivable:Customer:2:EUR at 4"],
  ],
  [
    "the receiving bank returns it",
    () => Postings.returnPayout(paid),
    [`${of("outside", "EUR")} > ${of("transit", "EUR")}: 80 EUR`],
    [opened("outside", "EUR"), opened("transit", "EUR")],
  ],
  [
    "an internal account returns it",
    () => Postings.returnPayout(inside),
    [`available:b > ${of("transit", "EUR")}: 80 EUR`],
    [opened("transit", "EUR")],
  ],
  [
    "the account has it back, fees and all",
    () => Postings.refund(paid),
    [
      `${of("transit", "EUR")} > ${of("exchange", "EUR")}: 80 EUR`,
      `${of("exchange", "USD")} > available:a: 95 USD`,
      `${of("service-fee", "USD")} > available:a: 3 USD`,
      `${of("platform-fee", "USD")} > available:a: 2 USD`,
    ],
    [opened("transit", "EUR"), opened("exchange", "EUR"), ...taken.map((role) => opened(role, "USD"))],
  ],
  [
    "what its owner owes is paid first, out of each part until it is paid",
    () => Postings.refund({ ...paid, sourceReceivable: owing(97, 6) }),
    [
      `${of("transit", "EUR")} > ${of("exchange", "EUR")}: 80 EUR`,
      `${of("exchange", "USD")} > ${of("receivable", "USD")}: 95 USD`,
      `${of("service-fee", "USD")} > ${of("receivable", "USD")}: 2 USD`,
      `${of("service-fee", "USD")} > available:a: 1 USD`,
      `${of("platform-fee", "USD")} > available:a: 2 USD`,
    ],
    [
      opened("transit", "EUR"),
      opened("exchange", "EUR"),
      opened("exchange", "USD"),
      opened("service-fee", "USD"),
      opened("service-fee", "USD"),
      opened("platform-fee", "USD"),
    ],
    [`${of("receivable", "USD")} at 6`],
  ],
  [
    "a payer has it back outside",
    () => Postings.refund(pushed),
    [
      `${of("transit", "EUR")} > ${of("exchange", "EUR")}: 80 EUR`,
      `${of("exchange", "USD")} > ${of("outside", "USD")}: 95 USD`,
      `${of("service-fee", "USD")} > ${of("outside", "USD")}: 3 USD`,
      `${of("platform-fee", "USD")} > ${of("outside", "USD")}: 2 USD`,
    ],
    [
      opened("transit", "EUR"),
      opened("exchange", "EUR"),
      ...taken.flatMap((role) => [opened(role, "USD"), opened("outside", "USD")]),
    ],
  ],
  [
    "it does not find back",
    () => Postings.refundToUnapplied(paid),
    [
      `${of("transit", "EUR")} > ${of("exchange", "EUR")}: 80 EUR`,
      `${of("exchange", "USD")} > unapplied:Transaction:1: 95 USD`,
      `${of("service-fee", "USD")} > unapplied:Transaction:1: 3 USD`,
      `${of("platform-fee", "USD")} > unapplied:Transaction:1: 2 USD`,
    ],
    [
      opened("transit", "EUR"),
      opened("exchange", "EUR"),
      ...taken.flatMap((role) => [opened(role, "USD"), "unapplied:Transaction:1 from 0"]),
    ],
  ],
  [
    "a payer sends another amount: it is kept apart",
    () => Postings.sendMismatch(mismatched),
    [`${of("outside", "USD")} > ${of("transit", "USD")}: 90 USD`],
    [opened("outside", "USD"), opened("transit", "USD")],
  ],
  [
    "and goes back",
    () => Postings.refundMismatch(mismatched),
    [`${of("transit", "USD")} > ${of("outside", "USD")}: 90 USD`],
    [opened("transit", "USD"), opened("outside", "USD")],
  ],
  [
    "or does not find back",
    () => Postings.refundMismatchToUnapplied(mismatched),
    [`${of("transit", "USD")} > unapplied:Transaction:1: 90 USD`],
    [opened("transit", "USD"), "unapplied:Transaction:1 from 0"],
  ],
]

it.each(cases.map((row) => [row[0], row] as const))("%s", (_what, [, decided, moves, accounts, rests = []]) => {
  const changes = decided()
  expect(movedBy(changes)).toEqual({ moves, opened: accounts, rests })
  expect(referencesOf(changes)).toEqual(["Transaction:1"])
})

it("where the amount was right, nothing is kept apart", () => {
  for (const changes of [
    Postings.sendMismatch(pushed),
    Postings.refundMismatch(pushed),
    Postings.refundMismatchToUnapplied(pushed),
  ]) {
    expect(movedBy(changes)).toEqual({ moves: [], opened: [], rests: [] })
  }
})
