/**
 * Which stored lists the filters of the transaction list select.
 * Source: wire contract 5.7 (list filters); D-502.
 */
import { describe, expect, it } from "vitest"
import { listsFor, type TransactionsQuery } from "../../../packages/core/src/service/transaction/TransactionQuery.ts"

const platform = "PlatformConfig:1"
const ada = "Customer:ada"
const bob = "Customer:bob"
const lists = (query: TransactionsQuery, customers?: ReadonlyArray<string>) => listsFor(query, platform, customers)
const transfers = (where: object) => ["Transaction", where] as const
const cards = (where: object) => ["CardTransaction", where] as const

describe("the lists of transactions", () => {
  it.each<readonly [string, TransactionsQuery, unknown]>([
    ["both without a filter", {}, [transfers({}), cards({})]],
    [
      "both in a period and a status",
      { status: "COMPLETED", from: 1, to: 2 },
      [
        transfers({ status: { eq: "COMPLETED" }, createdAt: { from: 1, to: 2 } }),
        cards({ status: { eq: "COMPLETED" }, createdAt: { from: 1, to: 2 } }),
      ],
    ],
    ["transfers alone by their type", { type: "INCOMING" }, [transfers({ type: { eq: "INCOMING" } })]],
    ["card transactions alone by their type", { type: "CARD" }, [cards({})]],
    ["transfers alone by a reference", { reference: "P1" }, [transfers({ reference: { eq: "P1" } })]],
    [
      "transfers alone by their receiver",
      { receiverAccountIdentifier: "a" },
      [transfers({ destinationAccountId: { eq: "a" } })],
    ],
    [
      "both by their sender",
      { senderAccountIdentifier: "a" },
      [transfers({ sourceAccountId: { eq: "a" } }), cards({ accountId: { eq: "a" } })],
    ],
    [
      "either side of an account",
      { accountIdentifier: "a" },
      [
        transfers({ sourceAccountId: { eq: "a" } }),
        transfers({ destinationAccountId: { eq: "a" } }),
        cards({ accountId: { eq: "a" } }),
      ],
    ],
    [
      "an account that must also be the sender",
      { accountIdentifier: "a", senderAccountIdentifier: "a" },
      [
        transfers({ sourceAccountId: { eq: "a" } }),
        transfers({ sourceAccountId: { eq: "a" }, destinationAccountId: { eq: "a" } }),
        cards({ accountId: { eq: "a" } }),
      ],
    ],
    [
      "an account on the other side of the sender",
      { accountIdentifier: "a", senderAccountIdentifier: "b" },
      [transfers({ sourceAccountId: { eq: "b" }, destinationAccountId: { eq: "a" } })],
    ],
    [
      "an account on the other side of the receiver",
      { accountIdentifier: "a", receiverAccountIdentifier: "b" },
      [transfers({ sourceAccountId: { eq: "a" }, destinationAccountId: { eq: "b" } })],
    ],
    [
      "no card transactions with a reference and a sender",
      { type: "CARD", reference: "P1", senderAccountIdentifier: "a" },
      [],
    ],
    [
      "no card transactions with a receiver and a sender",
      { type: "CARD", receiverAccountIdentifier: "b", senderAccountIdentifier: "a" },
      [],
    ],
    [
      "no card transactions of two accounts",
      { type: "CARD", accountIdentifier: "b", senderAccountIdentifier: "a" },
      [],
    ],
  ])("are %s", (_, query, expected) => {
    expect(lists(query)).toEqual(expected)
  })
})

describe("the owner of listed transactions", () => {
  const owner = (query: TransactionsQuery, customers?: ReadonlyArray<string>) =>
    lists({ ...query, type: "CARD" }, customers).map(([, where]) => where)

  it.each<readonly [string, TransactionsQuery, ReadonlyArray<string> | undefined, unknown]>([
    ["the named customer", { customerId: ada }, undefined, { customerId: { eq: ada } }],
    ["the platform itself", { customerId: platform }, undefined, { customerId: { eq: null } }],
    [
      "no customer of the platform itself",
      { customerId: platform, platformCustomerId: "own" },
      [ada],
      { customerId: { in: [] } },
    ],
    ["the one customer with the own id", { platformCustomerId: "own" }, [ada], { customerId: { eq: ada } }],
    ["each customer with the own id", { platformCustomerId: "own" }, [ada, bob], { customerId: { in: [ada, bob] } }],
    ["no customer with an unknown id", { platformCustomerId: "own" }, [], { customerId: { in: [] } }],
    [
      "the named one of the customers with the own id",
      { customerId: bob, platformCustomerId: "own" },
      [ada, bob],
      { customerId: { eq: bob } },
    ],
    [
      "none where the named one has another id",
      { customerId: bob, platformCustomerId: "own" },
      [ada],
      { customerId: { in: [] } },
    ],
    [
      "found by the own id where its customers are too many",
      { platformCustomerId: "own" },
      undefined,
      { platformCustomerId: { eq: "own" } },
    ],
  ])("is %s", (_, query, customers, expected) => {
    expect(owner(query, customers)).toEqual([expected])
  })
})
