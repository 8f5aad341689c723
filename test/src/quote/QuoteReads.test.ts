/**
 * What is read of a quote and its records, and which quotes exist for a caller.
 * Source: architecture, "Load, ask, decide, commit"; wire contract 1.1.
 */
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { findQuoteRecords, loadQuote, loadQuoteRecords } from "../../../packages/core/src/service/quote/QuoteReads.ts"
import { type Caller, CurrentCaller, tenant } from "../../../packages/core/src/store/Caller.ts"
import type { AnyStored } from "../../../packages/core/src/store/ChangeSet.ts"
import type { ReadQuery, ReadResult } from "../../../packages/core/src/store/Store.ts"
import { customerOf } from "../quote/CreationFacts.ts"
import { externalOf, incomingOf, internalOf, owner, transactionId } from "../transaction/StoredTransactions.ts"
import { paymentOf, quoteOf } from "./StoredQuotes.ts"

const platform = tenant(owner.platformId)
const agent: Caller = { _tag: "Agent", ...owner, agentId: "Agent:1", budget: "USD" }
const other: Caller = { ...agent, agentId: "Agent:2" }
const payer = internalOf()
const payee = externalOf()
const customer = customerOf()
const debt = "receivable:Customer:1:USD"
const all: ReadonlyArray<AnyStored> = [quoteOf(), paymentOf(), payer, payee, customer]

/** Reads from these records, and says what each read asked for. Each balance is the length of its account's name. */
const readerOf = (records: ReadonlyArray<AnyStored>) => {
  const queries: Array<ReadQuery> = []
  const record: ReadResult["record"] = (kind, id) =>
    records.find((found) => found.kind === kind && found.id === id) as ReturnType<typeof record<typeof kind>>
  const read = (query: ReadQuery) => {
    queries.push(query)
    const asked: ReadResult["record"] = (kind, id) =>
      query.records?.some((ref) => ref.kind === kind && ref.id === id) === true ? record(kind, id) : undefined
    return Effect.succeed<ReadResult>({
      record: asked,
      owner: () => undefined,
      platform: undefined,
      balance: (name) => ({ balance: query.balances?.includes(name) === true ? name.length : 0, sequence: 1 }),
      counter: () => 0,
      replay: undefined,
      holder: undefined,
    })
  }
  return { read, queries }
}
const run = <A, E>(effect: Effect.Effect<A, E, CurrentCaller>, caller: Caller = platform) =>
  Effect.runPromiseExit(Effect.provideService(effect, CurrentCaller, caller))
const found = async (
  records: ReadonlyArray<AnyStored>,
  caller?: Caller,
  known?: Parameters<typeof findQuoteRecords>[2],
) => {
  const { queries, read } = readerOf(records)
  const exit = await run(findQuoteRecords(read, "Quote:1", known), caller)
  if (!Exit.isSuccess(exit)) throw new Error(`the quote was not loaded: ${exit.cause}`)
  return { loaded: exit.value, queries }
}
describe("a quote", () => {
  it("exists for its platform, and for the agent that created it", async () => {
    const own = quoteOf({ agentId: "Agent:1" })
    const load = (quote: AnyStored | undefined, caller: Caller) =>
      run(loadQuote(readerOf(quote === undefined ? [] : [quote]).read, "Quote:1"), caller)
    expect(await load(own, platform)).toEqual(Exit.succeed(own))
    expect(await load(own, agent)).toEqual(Exit.succeed(own))
    expect(await load(quoteOf(), platform)).toEqual(Exit.succeed(quoteOf()))
    for (const exit of [await load(own, other), await load(quoteOf(), agent), await load(undefined, platform)])
      expect(Exit.isFailure(exit)).toBe(true)
    const { loaded } = await found([own, ...all.slice(1)], other)
    expect(loaded).toBeUndefined()
    expect((await found(all, agent, quoteOf())).loaded).toBeUndefined()
    expect((await found([own, ...all.slice(1)], agent, own)).loaded?.quote).toEqual(own)
  })

  it("that does not exist is refused with its code", async () => {
    const missing = { value: { code: "QUOTE_NOT_FOUND" } }
    expect(await run(Effect.flip(loadQuoteRecords(readerOf([]).read, "Quote:1")))).toMatchObject(missing)
    expect(await run(Effect.flip(loadQuote(readerOf([]).read, "Quote:1")))).toMatchObject(missing)
    const exit = await run(loadQuoteRecords(readerOf(all).read, "Quote:1"))
    expect(Exit.isSuccess(exit)).toBe(true)
  })
})

describe("the records of a quote", () => {
  const quoteRef = { kind: "Quote", id: "Quote:1" }

  it("are read with one balance of its account, and the debt of its customer", async () => {
    const { loaded, queries } = await found(all)
    expect(queries).toEqual([
      { records: [quoteRef] },
      {
        records: [
          quoteRef,
          { kind: "Transaction", id: transactionId },
          { kind: "InternalAccount", id: "InternalAccount:1" },
          { kind: "InternalAccount", id: "ExternalAccount:1" },
          { kind: "ExternalAccount", id: "ExternalAccount:1" },
          { kind: "Customer", id: "Customer:1" },
        ],
        balances: ["available:InternalAccount:1", debt],
      },
    ])
    expect(loaded).toEqual({
      quote: quoteOf(),
      transaction: paymentOf(),
      account: payer,
      owed: { balance: debt.length, sequence: 1 },
      available: "available:InternalAccount:1".length,
      pulled: undefined,
      receiver: undefined,
      destination: payee,
      customer,
    })
  })

  it("are read once where the quote is known, in its state of that read", async () => {
    const processing = quoteOf({ status: "PROCESSING" })
    const { loaded, queries } = await found([processing, ...all.slice(1)], platform, quoteOf())
    expect(queries).toHaveLength(1)
    expect(loaded?.quote).toEqual(processing)
    expect((await found(all.slice(1), platform, quoteOf())).loaded?.quote).toEqual(quoteOf())
  })

  it("have the account that is pulled, and no balance without an account", async () => {
    const { accountId: _account, ...data } = quoteOf({
      funding: "PULL",
      source: { sourceType: "ACCOUNT", accountId: "ExternalAccount:2" },
    }).data
    const pulled = { ...externalOf(), id: "ExternalAccount:2" }
    const { loaded, queries } = await found([{ ...quoteOf(), data }, pulled, ...all.slice(1)])
    expect(loaded).toMatchObject({ pulled, account: undefined, available: 0, owed: { balance: 0 } })
    expect(queries[1]?.balances).toEqual([])
    expect(queries).toHaveLength(2)
    const { loaded: paying } = await found([
      quoteOf({ source: { sourceType: "ACCOUNT", accountId: pulled.id } }),
      pulled,
      ...all.slice(1),
    ])
    expect(paying?.pulled).toBeUndefined()
  })

  it("have the account of the receiver of a UMA address", async () => {
    const receiver = internalOf({}, "InternalAccount:2")
    const destination = { destinationType: "UMA_ADDRESS", umaAddress: "$bob@example.com" } as const
    const quote = quoteOf({ destination, receiverAccountId: receiver.id })
    expect((await found([quote, receiver, ...all.slice(1)])).loaded).toMatchObject({ receiver, destination: undefined })
    const outside = (await found([quoteOf({ destination }), ...all.slice(1)])).loaded
    expect([outside?.receiver, outside?.destination]).toEqual([undefined, undefined])
  })

  it("have the debt of the account's owner, which is read apart where it is another one", async () => {
    const euros = internalOf({ currency: "EUR" })
    const { loaded, queries } = await found([quoteOf(), paymentOf(), euros, payee, customer])
    expect(queries[2]).toEqual({ balances: ["receivable:Customer:1:EUR"] })
    expect(loaded?.owed.balance).toBe("receivable:Customer:1:EUR".length)
  })

  it("of the platform itself have no customer", async () => {
    const { loaded, queries } = await found([{ ...quoteOf(), customerId: null }, ...all.slice(1)])
    expect(loaded?.customer).toBeUndefined()
    expect(queries[1]?.records?.some(({ kind }) => kind === "Customer")).toBe(false)
  })

  it("are a defect without an outgoing transaction", async () => {
    for (const records of [[quoteOf()], [quoteOf(), incomingOf()]]) {
      const exit = await run(findQuoteRecords(readerOf(records).read, "Quote:1"))
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("Quote:1 has no transaction")
    }
  })
})
