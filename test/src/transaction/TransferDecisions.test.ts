/**
 * What a transfer reads, which records its decision guards, and what it stores at its start.
 * Spec: 4.1, 4.5; wire contract 5.6; D-093.
 */
import { CurrentCaller, tenant } from "@countersign/core"
import type { Stored } from "@countersign/core/store"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { zeroReceivable } from "../../../packages/core/src/decision/ledger/PostingChanges.ts"
import {
  customersOf,
  isOwnersAccount,
  undeleted,
} from "../../../packages/core/src/decision/transaction/TransferDecision.ts"
import * as TransferIn from "../../../packages/core/src/decision/transaction/TransferInDecision.ts"
import * as TransferOut from "../../../packages/core/src/decision/transaction/TransferOutDecision.ts"
import { QuotePullCriteria } from "../../../packages/core/src/model/transaction/QuotePullCriteria.ts"
import {
  loadTransactionScope,
  readReceivables,
} from "../../../packages/core/src/service/transaction/TransactionLoads.ts"
import type { ReadQuery, ReadResult } from "../../../packages/core/src/store/Store.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import {
  accountInfo,
  changesOf,
  contextOf,
  dataOf,
  exchangeOf,
  externalOf,
  incomingOf,
  internalOf,
  outgoingOf,
  owner,
  written,
} from "./StoredTransactions.ts"

const account = { kind: "InternalAccount", id: "InternalAccount:1" } as const
const outside = { kind: "ExternalAccount", id: "ExternalAccount:1" } as const
const guards = [outside, account].map((ref) => ({ ...ref, version: 3 }))
const customerGuard = { kind: "Customer", id: "Customer:1", version: 1 }
const shortOfFunds = {
  _tag: "Refuse",
  refusal: {
    code: "INVALID_INPUT",
    message: "The source does not hold this amount.",
    details: { reason: "INSUFFICIENT_FUNDS" },
  },
}

/** The result of a read of these records, in which each balance is the length of its account's name. */
const resultOf = (records: ReadonlyArray<{ readonly kind: string; readonly id: string }>): ReadResult => {
  const record: ReadResult["record"] = (kind, id) =>
    records.find((found) => found.kind === kind && found.id === id) as ReturnType<typeof record<typeof kind>>
  return {
    record,
    owner: ({ id }) => (records.some((found) => found.id === id) ? customerOf(`Customer:of ${id}`) : undefined),
    platform: undefined,
    balance: (name) => ({ balance: name.length, sequence: 1 }),
    counter: () => 0,
    replay: undefined,
    holder: undefined,
  }
}

describe("a transfer-in", () => {
  const order = { sourceAccountId: outside.id, destinationAccountId: account.id, amount: 400 }
  const loaded = {
    source: externalOf(),
    destination: internalOf(),
    destinationBalance: 0,
    customer: undefined,
    inspection: { pullable: true, funds: "unknown" },
  } as const
  type Loaded = Parameters<ReturnType<typeof TransferIn.decideTransferIn>>[0]
  const decided = (more: Partial<Loaded> = {}, amount: number | "unnamed" = 400) =>
    TransferIn.decideTransferIn({ ...order, amount: amount === "unnamed" ? undefined : amount })(
      { ...loaded, ...more },
      contextOf(),
    )

  it("reads both accounts and all money of the one that it credits", () => {
    expect(TransferIn.readQueryFor(order)).toEqual({
      records: [outside, account],
      balances: ["available:InternalAccount:1", "held:InternalAccount:1"],
    })
    expect(TransferIn.accountsOf(resultOf([externalOf(), internalOf()]), order)).toEqual({
      source: externalOf(),
      destination: internalOf(),
      destinationBalance: "available:InternalAccount:1".length + "held:InternalAccount:1".length,
    })
    expect(TransferIn.accountsOf(resultOf([externalOf({ isDeleted: true })]), order)).toMatchObject({
      source: undefined,
      destination: undefined,
    })
  })

  it("stores a copy of the account, and a job asks its rail", () => {
    const decision = decided()
    expect(decision).toMatchObject({ status: 201, body: { status: "PENDING", receivedAmount: { amount: 400 } } })
    expect(dataOf(changesOf(decision))).toMatchObject(
      [{ ...order, platformCustomerId: "", currency: "USD", externalAccount: { accountInfo, rail: "ACH" } }].map(
        ({ sourceAccountId, ...data }) => ({ ...data, sourceAccountId }),
      ),
    )
    expect(written(changesOf(decision))).toMatchObject({
      events: ["INCOMING_PAYMENT.PENDING"],
      jobs: [["transfer.pull", 0, "pull:Transaction:1", { transactionId: "Transaction:1", accountId: outside.id }]],
    })
    expect(changesOf(decision).guards).toEqual(guards)
    const ofCustomer = decided({ customer: customerOf() })
    expect(dataOf(changesOf(ofCustomer))).toMatchObject([{ platformCustomerId: "own Customer:1" }])
    expect(changesOf(ofCustomer).guards).toEqual([...guards, customerGuard])
  })

  it("takes what the rail reports where no amount is named", () => {
    const inspection = { pullable: true, funds: "unknown", reported: 70 } as const
    expect(decided({ inspection }, "unnamed")).toMatchObject({ body: { receivedAmount: { amount: 70 } } })
    expect(decided({}, "unnamed")).toMatchObject({ refusal: { code: "INVALID_AMOUNT" } })
  })

  it("is refused by the first rule that it breaks, and by a rail that reports too little", () => {
    expect(decided({ inspection: { pullable: true, funds: "insufficient" } })).toMatchObject(shortOfFunds)
    expect(decided({ source: undefined })).toMatchObject({ refusal: { code: "REFERENCE_NOT_FOUND" } })
    expect(
      decided({ externalOwner: { ...customerOf(), data: { ...customerOf().data, awaitsTerms: true } } }),
    ).toMatchObject({
      refusal: { code: "END_USER_TERMS_NOT_ACCEPTED" },
    })
    expect(decided({ source: { ...externalOf(), customerId: "Customer:2" } })).toMatchObject({
      refusal: { details: { reason: "ACCOUNTS_OF_DIFFERENT_CUSTOMERS" } },
    })
  })
})

describe("a transfer-out", () => {
  const order = { sourceAccountId: account.id, destinationAccountId: outside.id, amount: 400 }
  const { amount: _, ...whole } = order
  const loaded = {
    source: internalOf(),
    destination: externalOf(),
    available: { balance: 400, sequence: 6 },
    customer: undefined,
  }
  const decided = (more: Partial<TransferOut.TransferOutLoaded> = {}, asked: TransferOut.TransferOutOrder = order) =>
    TransferOut.decideTransferOut(asked)({ ...loaded, ...more }, contextOf())

  it("reads both accounts and the available money", () => {
    expect(TransferOut.readQueryFor(order)).toEqual({
      records: [account, outside],
      balances: ["available:InternalAccount:1"],
    })
    expect(TransferOut.accountsOf(resultOf([externalOf(), internalOf()]), order)).toEqual({
      source: internalOf(),
      destination: externalOf(),
      available: { balance: "available:InternalAccount:1".length, sequence: 1 },
    })
    expect(TransferOut.accountsOf(resultOf([externalOf({ isDeleted: true })]), order).destination).toBeUndefined()
  })

  it("stores only what its order says", () => {
    const decision = decided()
    expect(decision).toMatchObject({ status: 201, body: { status: "PENDING", sentAmount: { amount: 400 } } })
    const [data] = dataOf(changesOf(decision))
    expect(data).toMatchObject({
      ...order,
      currency: "USD",
      platformCustomerId: "",
      externalAccount: { accountInfo, rail: "ACH" },
      railSelectionMode: "AUTO",
    })
    for (const name of ["remittanceInformation", "purposeOfPayment", "agentId"]) expect(data).not.toHaveProperty(name)
    expect(written(changesOf(decision)).jobs).toMatchObject([
      ["transfer.push", 0, expect.any(String), { accountId: outside.id }],
    ])
    expect(changesOf(decision)).toMatchObject({ guards: [...guards].reverse(), assertions: [] })
    const asked = { ...order, paymentRail: "WIRE", remittanceInformation: "rent", purposeOfPayment: "GIFT" } as const
    const named = decided({ customer: customerOf() }, asked)
    expect(dataOf(changesOf(named))).toMatchObject([
      {
        platformCustomerId: "own Customer:1",
        externalAccount: { rail: "WIRE" },
        railSelectionMode: "MANUAL",
        remittanceInformation: "rent",
        purposeOfPayment: "GIFT",
      },
    ])
    expect(changesOf(named).guards).toEqual([...[...guards].reverse(), customerGuard])
  })

  it("of the whole balance needs the balance to stay the same", () => {
    const decision = decided({}, whole)
    expect(decision).toMatchObject({ body: { sentAmount: { amount: 400 } } })
    expect(changesOf(decision).assertions).toEqual([{ account: "available:InternalAccount:1", sequence: 6 }])
  })

  it("needs the money and both accounts", () => {
    for (const [balance, asked] of [
      [399, order],
      [0, whole],
      [-1, whole],
    ] as const)
      expect(decided({ available: { balance, sequence: 6 } }, asked)).toMatchObject(shortOfFunds)
    expect(decided({ available: { balance: 1, sequence: 6 } }, whole)).toMatchObject({ status: 201 })
    expect(decided({ destination: undefined })).toMatchObject({ refusal: { code: "REFERENCE_NOT_FOUND" } })
    expect(
      decided({ externalOwner: { ...customerOf(), data: { ...customerOf().data, awaitsTerms: true } } }),
    ).toMatchObject({
      refusal: { code: "END_USER_TERMS_NOT_ACCEPTED" },
    })
  })
})

describe("the owners of a transfer's accounts", () => {
  const ofPlatform = { ...internalOf(), customerId: null }

  it("are the customer of the internal account, or that of the external one where the platform transfers", () => {
    const { owner } = resultOf([externalOf(), internalOf()])
    const found = (internal?: Stored<"InternalAccount">, external?: Stored<"ExternalAccount">) => {
      const { customer, ...more } = customersOf({ owner }, internal, external)
      return [customer?.id, "externalOwner" in more ? (more.externalOwner?.id ?? "unknown") : "not read"]
    }
    expect(found(internalOf(), externalOf())).toEqual(["Customer:of InternalAccount:1", "not read"])
    expect(found(ofPlatform, externalOf())).toEqual([undefined, "Customer:of ExternalAccount:1"])
    expect(found(ofPlatform)).toEqual([undefined, "unknown"])
    expect(found()).toEqual([undefined, "not read"])
  })

  it("may use their own accounts, and the platform those of its customers", () => {
    const other = { ...externalOf(), customerId: "Customer:2" }
    expect([isOwnersAccount(externalOf(), internalOf()), isOwnersAccount(other, ofPlatform)]).toEqual([true, true])
    expect([isOwnersAccount(undefined, internalOf()), isOwnersAccount(other, undefined)]).toEqual([true, true])
    expect(isOwnersAccount(other, internalOf())).toBe(false)
    expect([undeleted(undefined), undeleted(externalOf())]).toEqual([undefined, externalOf()])
  })
})

describe("what a decision about a transaction reads", () => {
  const quote = { ...internalOf(), kind: "Quote", id: "Quote:1" }
  const action = { ...internalOf(), kind: "AgentAction", id: "AgentAction:1" }
  const agent = { ...internalOf(), kind: "Agent", id: "Agent:1" }
  const paid = internalOf({ currency: "EUR" }, "InternalAccount:2")
  const reading = async (transaction: Stored<"Transaction">) => {
    const asked: Array<ReadQuery> = []
    const read = (query: ReadQuery) =>
      Effect.sync(() => {
        asked.push(query)
        return resultOf([transaction, internalOf(), paid, quote, action, agent])
      })
    const loaded = await Effect.runPromise(
      loadTransactionScope(read, transaction.id).pipe(Effect.provideService(CurrentCaller, tenant(owner.platformId))),
    )
    const { account: main, action: by, agent: actor, destination, quote: executed } = loaded
    return { asked, loaded, ids: [main, destination, executed, by, actor].map((record) => record?.id) }
  }

  it("is the account, the quote, the action and the agent that it names", async () => {
    const exchange = exchangeOf({ isInternal: true })
    const data = { exchange, destinationAccountId: "InternalAccount:2", actionId: "AgentAction:1", agentId: "Agent:1" }
    const { asked, ids, loaded } = await reading(outgoingOf(data))
    expect(ids).toEqual(["InternalAccount:1", "InternalAccount:2", "Quote:1", "AgentAction:1", "Agent:1"])
    expect(loaded.available.balance).toBe("available:InternalAccount:1".length)
    expect(loaded.accountReceivable.balance).toBe("receivable:Customer:1:USD".length)
    expect(loaded.destinationReceivable?.balance).toBe("receivable:Customer:1:EUR".length)
    expect(asked.map(({ records }) => records?.length ?? 0)).toEqual([1, 6, 0])
  })

  it("is the account alone for any other transaction", async () => {
    expect((await reading(incomingOf())).ids).toEqual(["InternalAccount:1", undefined, undefined, undefined, undefined])
    expect((await reading(outgoingOf())).ids).toEqual(["InternalAccount:1", undefined, undefined, undefined, undefined])
    expect((await reading(outgoingOf({ exchange: exchangeOf() }))).ids.slice(0, 3)).toEqual([
      "InternalAccount:1",
      undefined,
      "Quote:1",
    ])
    const pulled = exchangeOf({ funding: "PULL", refundAccountId: "InternalAccount:2" })
    expect((await reading(outgoingOf({ exchange: pulled }))).ids[0]).toBe("InternalAccount:2")
  })

  it("is no balance where it has no account", async () => {
    const { asked, ids, loaded } = await reading(outgoingOf({ exchange: exchangeOf({ funding: "PUSH" }) }))
    expect([ids[0], loaded.available, loaded.accountReceivable]).toEqual([undefined, zeroReceivable, zeroReceivable])
    expect(asked.map(({ balances }) => balances)).toEqual([undefined, []])
    await expect(reading(incomingOf({ destinationAccountId: "InternalAccount:9" }))).rejects.toThrow(
      "internal account InternalAccount:9 does not exist",
    )
  })

  it("is no debt of an absent account", async () => {
    const none = readReceivables(() => Effect.die(new Error("must not read")), undefined).pipe(
      Effect.provideService(CurrentCaller, tenant(owner.platformId)),
    )
    expect(await Effect.runPromise(none)).toEqual([zeroReceivable])
  })
})

it("no account is pulled by the criterion that allows none", () => {
  const consent = { ownershipType: "FIRST_PARTY", isPayersAccount: true } as const
  expect(QuotePullCriteria.get("NEVER")(accountInfo, consent)).toBe(false)
})
