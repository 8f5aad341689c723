/** The postings of a payment with currency exchange, copied by hand: each currency balances by itself. D-114, D-122. */

import { expect, it } from "vitest"
import * as Postings from "../../../packages/core/src/decision/transaction/ExchangeChanges.ts"
import type * as Changes from "../../../packages/core/src/store/Changes.ts"
import { internalAccount, owner, referencesOf, summaryOf } from "./Movements.ts"

const zeroBalance = { balance: 0, sequence: 0 }
/** 100 USD, of which 3 and 2 are fees, for 80 EUR, paid from an internal account to an external one. */
const fromAccount: Postings.ExchangePayment = {
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
  sourceReceivable: zeroBalance,
  destination: undefined,
  destinationReceivable: zeroBalance,
}
const free: Postings.ExchangePayment = {
  ...fromAccount,
  exchange: { ...fromAccount.exchange, fees: { service: 0, platform: 0 } },
}
const pushed: Postings.ExchangePayment = {
  ...fromAccount,
  source: undefined,
  exchange: { ...fromAccount.exchange, funding: "PUSH" },
}
const inside: Postings.ExchangePayment = { ...fromAccount, destination: internalAccount("b", "EUR", "Customer:2") }
const mismatched: Postings.ExchangePayment = { ...pushed, exchange: { ...pushed.exchange, mismatch: 90 } }
const owing = (amount: number, sequence: number) => ({ balance: -amount, sequence })

const of = (role: string, currency: string) => `${role}:Customer:1:${currency}`
const opened = (role: string, currency: string) =>
  `${of(role, currency)} with floor ${role === "transit" ? 0 : "unbounded"}`
const taken = ["exchange", "service-fee", "platform-fee"]

type Case = readonly [
  title: string,
  changes: () => Changes.Changes,
  transfers: ReadonlyArray<string>,
  opened: ReadonlyArray<string>,
  assertions?: ReadonlyArray<string>,
]
const cases: ReadonlyArray<Case> = [
  [
    "a payment from an account posts the exchange and the fees, and the other currency in transit",
    () => Postings.send(fromAccount),
    [
      `available:a > ${of("exchange", "USD")}: 95 USD`,
      `available:a > ${of("service-fee", "USD")}: 3 USD`,
      `available:a > ${of("platform-fee", "USD")}: 2 USD`,
      `${of("exchange", "EUR")} > ${of("transit", "EUR")}: 80 EUR`,
    ],
    [...taken.map((role) => opened(role, "USD")), opened("exchange", "EUR"), opened("transit", "EUR")],
  ],
  [
    "a payment without fees has no fee postings",
    () => Postings.send(free),
    [`available:a > ${of("exchange", "USD")}: 100 USD`, `${of("exchange", "EUR")} > ${of("transit", "EUR")}: 80 EUR`],
    [opened("exchange", "USD"), opened("exchange", "EUR"), opened("transit", "EUR")],
  ],
  ...(
    [
      ["a payment from outside posts from the outside account", pushed],
      [
        "a payment from outside posts from the outside account even if refunds go to an internal account",
        { ...pushed, source: fromAccount.source },
      ],
      [
        "a payment whose source account no longer exists posts from the outside account",
        { ...fromAccount, source: undefined },
      ],
    ] as const
  ).map(
    ([title, payment]) =>
      [
        title,
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
    "a delivery to the outside leaves the transit account",
    () => Postings.deliver(fromAccount),
    [`${of("transit", "EUR")} > ${of("outside", "EUR")}: 80 EUR`],
    [opened("transit", "EUR"), opened("outside", "EUR")],
  ],
  [
    "a delivery to an internal account credits it",
    () => Postings.deliver(inside),
    [`${of("transit", "EUR")} > available:b: 80 EUR`],
    [opened("transit", "EUR")],
  ],
  [
    "a delivery to an owner with a debt repays the debt first",
    () => Postings.deliver({ ...inside, destinationReceivable: owing(30, 4) }),
    [`${of("transit", "EUR")} > receivable:Customer:2:EUR: 30 EUR`, `${of("transit", "EUR")} > available:b: 50 EUR`],
    [opened("transit", "EUR"), opened("transit", "EUR")],
    ["receivable:Customer:2:EUR at 4"],
  ],
  [
    "a return by the receiving bank goes back to transit",
    () => Postings.returnPayout(fromAccount),
    [`${of("outside", "EUR")} > ${of("transit", "EUR")}: 80 EUR`],
    [opened("outside", "EUR"), opened("transit", "EUR")],
  ],
  [
    "a return by an internal account debits it",
    () => Postings.returnPayout(inside),
    [`available:b > ${of("transit", "EUR")}: 80 EUR`],
    [opened("transit", "EUR")],
  ],
  [
    "a refund returns the full amount with fees to the account",
    () => Postings.refund(fromAccount),
    [
      `${of("transit", "EUR")} > ${of("exchange", "EUR")}: 80 EUR`,
      `${of("exchange", "USD")} > available:a: 95 USD`,
      `${of("service-fee", "USD")} > available:a: 3 USD`,
      `${of("platform-fee", "USD")} > available:a: 2 USD`,
    ],
    [opened("transit", "EUR"), opened("exchange", "EUR"), ...taken.map((role) => opened(role, "USD"))],
  ],
  [
    "a refund repays the debt of the owner first, out of each part until it is repaid",
    () => Postings.refund({ ...fromAccount, sourceReceivable: owing(97, 6) }),
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
    "a refund of a payment from outside goes to the outside account",
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
    "a refund that cannot be delivered goes to the unapplied account with fees",
    () => Postings.refundToUnapplied(fromAccount),
    [
      `${of("transit", "EUR")} > ${of("exchange", "EUR")}: 80 EUR`,
      `${of("exchange", "USD")} > unapplied:Transaction:1: 95 USD`,
      `${of("service-fee", "USD")} > unapplied:Transaction:1: 3 USD`,
      `${of("platform-fee", "USD")} > unapplied:Transaction:1: 2 USD`,
    ],
    [
      opened("transit", "EUR"),
      opened("exchange", "EUR"),
      ...taken.flatMap((role) => [opened(role, "USD"), "unapplied:Transaction:1 with floor 0"]),
    ],
  ],
  [
    "a payment of a wrong amount stays in transit without an exchange",
    () => Postings.sendMismatch(mismatched),
    [`${of("outside", "USD")} > ${of("transit", "USD")}: 90 USD`],
    [opened("outside", "USD"), opened("transit", "USD")],
  ],
  [
    "a refund of a wrong amount goes to the outside account",
    () => Postings.refundMismatch(mismatched),
    [`${of("transit", "USD")} > ${of("outside", "USD")}: 90 USD`],
    [opened("transit", "USD"), opened("outside", "USD")],
  ],
  [
    "a refund of a wrong amount that cannot be delivered goes to the unapplied account",
    () => Postings.refundMismatchToUnapplied(mismatched),
    [`${of("transit", "USD")} > unapplied:Transaction:1: 90 USD`],
    [opened("transit", "USD"), "unapplied:Transaction:1 with floor 0"],
  ],
]

it.each(cases.map((row) => [row[0], row] as const))(
  "%s",
  (_title, [, decide, transfers, accounts, assertions = []]) => {
    const changes = decide()
    expect(summaryOf(changes)).toEqual({ transfers, opened: accounts, assertions })
    expect(referencesOf(changes)).toEqual(["Transaction:1"])
  },
)

it("a payment of the right amount has no mismatch postings", () => {
  for (const changes of [
    Postings.sendMismatch(pushed),
    Postings.refundMismatch(pushed),
    Postings.refundMismatchToUnapplied(pushed),
  ]) {
    expect(summaryOf(changes)).toEqual({ transfers: [], opened: [], assertions: [] })
  }
})

it("a credit depends on the account's record, which every new debt writes", () => {
  expect(Postings.deliver(inside).guards).toEqual([{ kind: "InternalAccount", id: "b", version: 1 }])
  expect(Postings.refund(fromAccount).guards).toEqual([{ kind: "InternalAccount", id: "a", version: 1 }])
  expect(Postings.deliver(fromAccount).guards).toEqual([])
})
