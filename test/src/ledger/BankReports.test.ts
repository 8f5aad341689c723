/**
 * The reconciliation of banks over HTTP: what agrees, what needs attention, and who may see it.
 * Source: D-535.
 */

import { BankFiles } from "@countersign/adapter-bank-files"
import { Platforms } from "@countersign/core"
import { BankExchange, BankReconciliation, type SubmittedPayment } from "@countersign/core/ports"
import { Store } from "@countersign/core/store"
import { agentHarness, harness } from "@countersign/test"
import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { ledgerFactOf } from "../../../packages/core/src/decision/transaction/LedgerFacts.ts"
import { achAccount, euroBank, ibanAccount } from "../adapter-bank-files/BankWorld.ts"
import { at } from "../customer/CustomerRequests.ts"
import { euroWorld } from "./EuroBank.ts"

const counts = ({ days }: Awaited<ReturnType<Awaited<ReturnType<typeof euroWorld>>["found"]>>) =>
  days.map(({ bank: _, day: __, ...count }) => count)

/** Adds a platform, and returns its requests. */
const otherPlatform = async ({ pay }: Awaited<ReturnType<typeof euroWorld>>) => {
  const secret = "other-secret"
  const platform = { clientId: "other", clientSecret: Redacted.make(secret), name: "Other", currencies: [] }
  const platformId = await pay.run(Platforms.use((platforms) => platforms.setUp(platform)))
  const headers = { authorization: `Basic ${btoa(`other:${secret}`)}` }
  return { platformId, read: (path: string) => pay.send("GET", path, { as: "nobody", headers }) }
}

const path = "/operator/books/reconciliation"

describe("the reconciliation", () => {
  it("agrees on a day whose orders are booked, in a notification and in a statement that arrives twice", async () => {
    await using world = await euroWorld()
    await world.payOut(1_000, 2_500)
    const before = await world.found()
    expect(before).toMatchObject({ agrees: true, findings: [{ verdict: "OPEN" }, { verdict: "OPEN" }] })
    await world.endDay("duplicate")
    const found = await world.found()
    expect(found).toMatchObject({ agrees: true, findings: [], banks: [{ name: "euro", account: "••3000" }] })
    expect(counts(found)).toEqual([
      { matched: 0, unmatched: 0, suspicious: 0, orders: 2, open: 0, suspiciousOrders: 0 },
      { matched: 2, unmatched: 0, suspicious: 0, orders: 0, open: 0, suspiciousOrders: 0 },
    ])
    const sum = "3500"
    expect(found.totals).toMatchObject([
      { currency: "EUR", direction: "OUT", statement: sum, orders: sum, ledger: sum, open: "0", agrees: true },
    ])
  })

  it("shows lines of others as unmatched, a refused order as agreed, and one that comes back weeks later", async () => {
    await using world = await euroWorld(({ amount }) =>
      amount === 7 ? { _tag: "Reject", code: "AC04" } : { _tag: "Return", code: "AC04", days: 20 },
    )
    await world.payOut(7, 900)
    await world.endDay("foreign")
    const first = await world.found()
    expect(first.agrees).toBe(true)
    expect(first.findings).toMatchObject([
      { kind: "LINE", verdict: "UNMATCHED", amount: 1234, direction: "IN" },
      { kind: "LINE", verdict: "UNMATCHED", amount: 250, direction: "OUT" },
    ])
    expect(first.totals).toMatchObject([{ statement: "900", orders: "900", ledger: "900" }])
    for (let day = 0; day <= 20; day++) await world.endDay()
    const from = "2026-03-01"
    const found = await world.found(`?from=${from}&to=2026-03-31`)
    expect(found).toMatchObject({ agrees: true, totals: [{ statement: "0", orders: "0", ledger: "0" }] })
    const late = await world.found(`?from=${await world.dayOf()}&to=${await world.dayOf()}`)
    expect(counts(late)).toMatchObject([{ matched: 1, orders: 0 }])
  })

  it("leaves orders open whose statement is half or does not add up, until it is complete", async () => {
    await using world = await euroWorld()
    await world.payOut(400)
    await world.endDay("half", "wrongTotals")
    // The notification was complete: the statement has the same line again.
    expect(await world.found()).toMatchObject({ agrees: true, findings: [] })
    await world.endDay()
    expect(await world.found()).toMatchObject({ agrees: true, totals: [{ statement: "400" }] })
  })

  it("names an order that the bank executed and the ledger does not have, once a report could have arrived", async () => {
    await using world = await euroWorld()
    const [id] = await world.payOut(300)
    await world.pay.clock.advance("24 hours")
    const { bank, files, pay } = world
    await pay.run(files.exchange)
    await Effect.runPromise(bank.endDay(await world.dayOf()))
    await pay.run(files.exchange)
    expect(await world.found()).toMatchObject({ agrees: true, findings: [{ verdict: "OPEN", transactionId: id }] })
    await pay.clock.advance("11 minutes")
    const found = await world.found()
    expect(found).toMatchObject({
      agrees: false,
      findings: [{ kind: "ORDER", verdict: "SUSPICIOUS", problem: "LEDGER_STATE", transactionId: id }],
      totals: [{ statement: "300", orders: "300", ledger: "0", agrees: false }],
    })
    await world.cycle()
    await pay.settle()
    expect(await world.found()).toMatchObject({ agrees: true, findings: [] })
  })

  it("names a second line of an order whose first one is of an earlier period", async () => {
    await using world = await euroWorld()
    await world.payOut(300)
    await world.endDay()
    const { pay, store } = world
    await pay.clock.advance("24 hours")
    const day = await world.dayOf()
    await pay.run(
      store.transact((rows) =>
        Effect.flatMap(rows.listLines("euro", "2026-03-01", day), (lines) =>
          rows.addLines(lines.map((line) => ({ ...line, key: `${line.key} again`, bookedOn: day }))),
        ),
      ),
    )
    expect(await world.found(`?from=${day}&to=${day}`)).toMatchObject({
      agrees: false,
      findings: [{ kind: "LINE", verdict: "SUSPICIOUS", problem: "DOUBLED", day }],
    })
  })

  it("does not count money as moved that is on its way back", async () => {
    await using world = await euroWorld()
    const [id = ""] = await world.payOut(300)
    await world.endDay()
    const read = Store.use((store) => store.read({ records: [{ kind: "Transaction", id }] }))
    const stored = (await world.pay.run(read)).record("Transaction", id)
    if (stored?.data.type !== "OUTGOING") throw new Error("the transaction is not stored")
    expect(ledgerFactOf(stored)).toEqual({ reference: id, amount: 300, currency: "EUR", isExecuted: true })
    const refund = { reference: "r", initiatedAt: 0, status: "PENDING", reason: "TRANSACTION_FAILED" } as const
    expect(ledgerFactOf({ ...stored, data: { ...stored.data, refund } }).isExecuted).toBe(false)
  })

  it("names an order whose line never comes", async () => {
    await using world = await euroWorld()
    const [id = ""] = await world.payOut(300)
    await world.pay.clock.advance("24 hours")
    await world.cycle()
    // The bank loses the file.
    await Effect.runPromise(world.bank.collect)
    await world.pay.clock.advance("6 days")
    expect(await world.found()).toMatchObject({
      agrees: false,
      findings: [{ verdict: "SUSPICIOUS", problem: "MISSING", transactionId: id, meaning: expect.any(String) }],
    })
  })

  it("names a transaction that no bank has an order of", async () => {
    await using world = await euroWorld()
    const [id = ""] = await world.payOut(300)
    const { folder, pay, store } = world
    // As if the store of the files had been restored from a backup.
    const restored: typeof store = {
      transact: (body) => store.transact((rows) => body({ ...rows, orders: () => Effect.succeed([]) })),
    }
    const { reconciliation } = BankFiles.make([euroBank({ folder })], restored)
    const payment = { reference: id, direction: "push", amount: 300, submittedAt: 0 } as const
    const inEuros = { ...payment, account: ibanAccount() }
    expect(await pay.run(world.files.reconciliation.withoutOrder([inEuros]))).toEqual([])
    // A bank of another currency is not asked for it.
    const inDollars = { ...payment, reference: "Transaction:2", account: achAccount() }
    expect(await pay.run(reconciliation.withoutOrder([inEuros, inDollars]))).toEqual([id])
    await using other = await harness({ ports: Layer.succeed(BankReconciliation, reconciliation) })
    expect((await other.send("GET", path)).body).toMatchObject({ agrees: true, banks: [{ name: "euro" }] })
  })

  it("asks for every transaction that was submitted in the period, of all pages, once its order could be stored", async () => {
    await using world = await euroWorld()
    const ids = await world.payOut(...Array.from({ length: 101 }, (_, index) => index + 1))
    let asked: ReadonlyArray<SubmittedPayment> = []
    const port: BankReconciliation = {
      ...world.files.reconciliation,
      compare: () => Effect.succeed({ lines: [], orders: [] }),
      withoutOrder: (payments) => {
        asked = payments
        return Effect.succeed(payments.map(({ reference }) => reference))
      },
    }
    await using pay = await world.pay.join({
      ports: Layer.merge(world.files.layer, Layer.succeed(BankReconciliation, port)),
    })
    await pay.clock.advance("9 minutes")
    expect((await pay.send("GET", path)).body).toMatchObject({ agrees: true, findingsCount: 0 })
    await pay.clock.advance("1 minute")
    const { body } = await pay.send("GET", path)
    expect(asked.map(({ reference }) => reference).toSorted()).toEqual(ids.toSorted())
    expect(body).toMatchObject({ agrees: false, findingsCount: 101 })
    expect(at({ body }, "findings", 0)).toMatchObject({
      kind: "TRANSACTION",
      direction: "OUT",
      problem: "ORDER_MISSING",
    })
    const tomorrow = new Date((await pay.clock.now()) + 86_400_000).toISOString().slice(0, 10)
    await pay.clock.advance("3 days")
    expect((await pay.send("GET", `${path}?from=${tomorrow}`)).body).toMatchObject({ findingsCount: 101 })
    const yesterday = "2026-03-01"
    expect((await pay.send("GET", `${path}?from=${yesterday}&to=${yesterday}`)).body).toMatchObject({
      findingsCount: 101,
    })
    const later = new Date(await pay.clock.now()).toISOString().slice(0, 10)
    expect((await pay.send("GET", `${path}?from=${later}`)).body).toMatchObject({ findingsCount: 0 })
  })

  it("compares more than a page of orders with the ledger, of the 14 days until now", async () => {
    await using world = await euroWorld()
    await world.payOut(...Array.from({ length: 101 }, (_, index) => index + 1))
    await world.endDay()
    expect(await world.found()).toMatchObject({
      from: "2026-02-18",
      to: "2026-03-03",
      agrees: true,
      findings: [],
      totals: [{ statement: "5151", orders: "5151", ledger: "5151", agrees: true }],
    })
  })

  it("says of a line and of an order whether money came or left, and takes a period of 31 days", async () => {
    const order = {
      currency: "EUR",
      amount: 5,
      day: "2026-03-02",
      isExecuted: false,
      isInLedger: false,
      isOnStatement: false,
    }
    const port = (platformId: string): BankReconciliation => ({
      banks: [{ name: "euro", account: "••3000" }],
      problems: {},
      withoutOrder: () => Effect.succeed([]),
      compare: () =>
        Effect.succeed({
          lines: [],
          orders: (["pull", "push"] as const).map((direction) => ({
            ...order,
            direction,
            platformId,
            reference: direction,
            verdict: "OPEN" as const,
          })),
        }),
    })
    await using world = await euroWorld()
    await using pay = await world.pay.join({ ports: Layer.succeed(BankReconciliation, port(world.pay.platformId)) })
    const { body, status } = await pay.send("GET", `${path}?from=2026-02-01&to=2026-03-03`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      findings: [
        { transactionId: "pull", direction: "IN" },
        { transactionId: "push", direction: "OUT" },
      ],
    })
    expect(await pay.send("GET", `${path}?from=2026-01-31&to=2026-03-03`)).toMatchObject({ status: 400 })
  })

  it.each([
    ["a bank that does not exist", "?bank=pounds", "bank", "must be of euro"],
    ["a period that ends before it begins", "?from=2026-03-02&to=2026-03-01", "from", "must not be after `to`"],
    ["a period of more than 31 days", "?from=2026-01-01&to=2026-03-01", "from", "must be within 31 days of `to`"],
    ["a day that does not exist", "?to=2026-02-30", "to", expect.any(String)],
  ])("refuses %s", async (_, query, field, message) => {
    await using world = await euroWorld()
    expect(await world.pay.send("GET", `${path}${query}`)).toMatchObject({
      status: 400,
      body: { code: "INVALID_INPUT", details: { errors: [{ field, message }] } },
    })
  })

  it("refuses a bank by the names of those that it has, if it has any", async () => {
    const refusalAt = async (...names: ReadonlyArray<string>) => {
      const banks = names.map((name) => ({ name, account: "••3000" }))
      const port = Layer.succeed(BankReconciliation, {
        banks,
        problems: {},
        compare: () => Effect.succeed({ lines: [], orders: [] }),
        withoutOrder: () => Effect.succeed([]),
      })
      await using pay = await harness({ ports: port })
      return at(await pay.send("GET", `${path}?bank=pounds`), "details", "errors", 0, "message")
    }
    expect(await refusalAt("euro", "dollar")).toBe("must be of euro, dollar")
    expect(await refusalAt()).toBe("must be absent: no bank is reconciled here")
  })
})

describe("a platform", () => {
  it("sees its own orders and their lines alone, and lines without an order only while it is alone", async () => {
    await using world = await euroWorld()
    await world.payOut(1_000)
    await world.endDay("foreign")
    const alone = await world.found()
    expect(alone.findings.map(({ verdict }) => verdict)).toEqual(["UNMATCHED", "UNMATCHED"])
    const other = await otherPlatform(world)
    expect((await world.found()).findings).toEqual([])
    expect(counts(await world.found()).map(({ matched }) => matched)).toEqual([0, 1])
    const { body, status } = await other.read(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ agrees: true, days: [], totals: [], findings: [] })
  })

  it("does not see the total of a file that has the order of another one", async () => {
    await using world = await euroWorld()
    const { platformId } = await otherPlatform(world)
    const compared = (orders: ReadonlyArray<string>) => ({
      statementId: "1",
      day: "2026-03-02",
      currency: "EUR",
      amount: 3_000,
      isCredit: false,
      verdict: "MATCHED" as const,
      orders: orders.map((owner) => ({ reference: `of ${owner}`, platformId: owner })),
    })
    const own = world.pay.platformId
    const port: BankReconciliation = {
      ...world.files.reconciliation,
      compare: () =>
        Effect.succeed({ lines: [compared([own]), compared([own, platformId]), compared([platformId])], orders: [] }),
    }
    const startsAt = "2026-03-02T08:00:00Z"
    await using pay = await harness({ ports: Layer.succeed(BankReconciliation, port), startsAt })
    expect(pay.platformId).toBe(own)
    await otherPlatform({ ...world, pay })
    const { body } = await pay.send("GET", `${path}?to=2026-03-02`)
    expect(body).toMatchObject({ days: [{ matched: 1 }] })
  })

  it("is refused for its agent, and a deployment without a bank reconciles none", async () => {
    await using pay = await agentHarness()
    expect(await pay.send("GET", path, { as: { token: pay.accessToken } })).toMatchObject({ status: 401 })
    expect((await pay.send("GET", path)).body).toMatchObject({ banks: [], agrees: true, days: [], findings: [] })
    expect(await pay.run(BankExchange)).toBeUndefined()
  })
})
