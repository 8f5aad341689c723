/** Every filter of the lists of transactions, the books of the platform, and the reports of its banks. */
import { type BankComparison, BankReconciliation, type LedgerFact } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { idAt, quoteBetween } from "../confinement/Bodies.ts"
import { at } from "../customer/CustomerRequests.ts"
import type { Written } from "./TranscriptWorld.ts"
import { later, pairsOf, refused, returned, transferIn, transferOut } from "./TransferOutcomeSteps.ts"

/** Payments in each direction, of a customer, another one and the platform, at times that differ. */
const payments = async (it: Written) => {
  const { own, platform } = await pairsOf(it)
  const { customerId } = it.callers
  it.answerNext("Rails.pull", await later(it, 86_400_000 * 20))
  const open = await transferIn(it, own, 101)
  await it.pay.clock.advance("1 hour")
  const moved = await transferOut(it, own, 102)
  await it.pay.clock.advance("1 day")
  const pulled = await transferIn(it, platform, 103)
  it.answerNext("Rails.push", refused("EXECUTION_FAILED"))
  const failed = await transferOut(it, platform, 104, "WIRE")
  it.answerNext("Rails.pull", returned)
  const back = await transferIn(it, own, 105)
  await it.pay.clock.advance("1 hour")
  it.answerNext("Rails.push", { _tag: "Cancelled" })
  const cancelled = await transferOut(it, own, 108)
  const quote = await it.call("POST", "/quotes", {
    body: { ...quoteBetween(platform.internal, own.internal, 106), immediatelyExecute: true },
  })
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [own.internal] }
  const card = idAt(await it.call("POST", "/cards", { body: issue }), "id")
  const purchase = {
    amount: 107,
    currency: { code: "USD", name: "Dollar", symbol: "$", decimals: 2 },
    merchant: { descriptor: "Shop 000", mcc: "5411", country: "US" },
  }
  await it.call("POST", `/sandbox/cards/${card}/simulate/authorization`, { body: purchase })
  return { own, platform, open, moved, pulled, failed, back, cancelled, paid: idAt(quote, "transactionId") }
}

const queries = async (it: Written, { moved, own, platform }: Awaited<ReturnType<typeof payments>>) => {
  const { customerId, neighbour: _ } = it.callers
  const { body } = await it.prepare("GET", `/customers/${customerId}`)
  const mine = encodeURIComponent(String(Object(body).platformCustomerId))
  const platformId = idAt(await it.prepare("GET", "/config"), "id")
  const { reference, createdAt }: { readonly reference?: string; readonly createdAt?: string } = Object(
    (await it.prepare("GET", `/transactions/${moved}`)).body,
  )
  const filters = [
    `customerId=${customerId}`,
    `customerId=${platformId}`,
    `platformCustomerId=${mine}`,
    "platformCustomerId=nobody",
    `platformCustomerId=${mine}&customerId=${customerId}`,
    `platformCustomerId=${mine}&customerId=${platformId}`,
    `accountIdentifier=${own.internal}`,
    `accountIdentifier=${own.internal}&senderAccountIdentifier=${own.internal}`,
    `accountIdentifier=${own.internal}&senderAccountIdentifier=${platform.internal}`,
    `accountIdentifier=${own.internal}&receiverAccountIdentifier=${own.external}`,
    `senderAccountIdentifier=${platform.internal}`,
    `receiverAccountIdentifier=${own.internal}`,
    "status=COMPLETED",
    "status=FAILED&type=INCOMING",
    "type=OUTGOING",
    "type=CARD",
    `type=CARD&reference=${reference}`,
    `type=CARD&receiverAccountIdentifier=${own.internal}`,
    `type=CARD&accountIdentifier=${own.internal}`,
    `reference=${reference}`,
    `startDate=${createdAt}`,
    `endDate=${createdAt}`,
    `startDate=${createdAt}&endDate=${createdAt}`,
    "startDate=yesterday",
    "status=NEVER",
  ]
  const few = (query: string, reply: { readonly body: unknown }) => ({ query, reply })
  const shown = async (query: string) => {
    const reply = await it.pay.send("GET", `/transactions?${query}`)
    const { data, ...rest }: { readonly data?: ReadonlyArray<{ readonly id: string }> } = Object(reply.body)
    return few(query, { body: data === undefined ? rest : [data.map(({ id }) => id), rest] })
  }
  for (const query of filters)
    await it.report(
      "GET /transactions",
      Effect.promise(() => shown(query)),
    )
  for (const query of ["limit=3", `limit=2&accountIdentifier=${own.internal}&sortOrder=asc`, "limit=1&type=CARD"]) {
    const first = await it.call("GET", `/transactions?${query}`)
    const cursor = at(first, "nextCursor")
    for (const more of [query, "limit=3&type=INCOMING"]) {
      const next = Effect.promise(() => shown(`${more}&cursor=${encodeURIComponent(String(cursor))}`))
      await it.report("GET /transactions, the next page", next)
    }
  }
}

const books = async (it: Written, moved: string) => {
  await it.call("GET", "/operator/books/trial-balance")
  const path = "/operator/books/accounts"
  for (const query of ["?limit=3", "?role=available", "?currency=EUR", "?role=outside&currency=USD&limit=1"]) {
    const first = await it.call("GET", `${path}${query}`)
    const cursor = at(first, "nextCursor")
    if (typeof cursor !== "string") continue
    await it.call("GET", `${path}${query}&cursor=${encodeURIComponent(cursor)}`)
    await it.call("GET", `${path}?role=held&cursor=${encodeURIComponent(cursor)}`)
  }
  const entries = `${path}/${encodeURIComponent(`available:${it.callers.accountId}`)}/entries`
  const page = await it.call("GET", `${entries}?limit=2`)
  const cursor = encodeURIComponent(String(at(page, "nextCursor")))
  await it.call("GET", `${entries}?limit=2&cursor=${cursor}`)
  await it.call("GET", `${path}/nothing/entries?cursor=${cursor}`)
  await it.call("GET", `${path}/nothing/entries`)
  await it.call("GET", `/operator/books/transfers/${encodeURIComponent(moved)}`)
  await it.call("GET", "/operator/books/transfers/nothing")
}

/** Two banks. The first has an order of each fact that the ledger tells, and the second lines alone. */
const comparisonOf = (bank: string, day: string, own: string, facts: ReadonlyArray<LedgerFact>): BankComparison => {
  const owned = (reference: string, platformId = own) => ({ reference, platformId })
  const line = { statementId: `${bank} 1`, day, currency: "USD", isCredit: false, orders: [] }
  if (bank === "dollars") {
    return {
      lines: [
        { ...line, amount: 33, verdict: "UNMATCHED" },
        { ...line, amount: 34, isCredit: true, verdict: "SUSPICIOUS", problem: "AMOUNT_DIFFERS", orders: [owned("x")] },
        { ...line, amount: 35, verdict: "MATCHED", orders: [owned("y", "PlatformConfig:2")] },
        { ...line, amount: 36, currency: "JPY", verdict: "SUSPICIOUS", problem: "UNKNOWN", day: "2026-01-02" },
      ],
      orders: [],
    }
  }
  const orders = facts.map(({ amount, currency, isExecuted, reference }, index) => ({
    ...owned(reference),
    amount,
    currency,
    direction: index % 2 === 0 ? ("push" as const) : ("pull" as const),
    day: index < 3 ? day : "2026-01-03",
    verdict: isExecuted === undefined ? ("OPEN" as const) : isExecuted ? ("AGREED" as const) : ("SUSPICIOUS" as const),
    ...(isExecuted === false ? { problem: "AMOUNT_DIFFERS" } : {}),
    isExecuted: isExecuted === true,
    ...(index === 1 ? {} : { isOnStatement: index !== 2 }),
    isInLedger: isExecuted === true || index === 4,
  }))
  const foreign = { ...owned("z", "PlatformConfig:2"), amount: 37, currency: "USD", direction: "push", day } as const
  const state = { verdict: "SUSPICIOUS", isExecuted: true, isInLedger: true } as const
  const matched = { ...line, amount: 38, verdict: "MATCHED", orders: orders.slice(0, 2) } as const
  return { lines: [matched], orders: [...orders, { ...foreign, ...state }] }
}

/** What the banks are asked about: the transactions that the steps have made, and one that is unknown. */
const asked: { platformId: string; references: ReadonlyArray<string> } = { platformId: "", references: [] }

export const twoBanks = Layer.succeed(BankReconciliation, {
  banks: [
    { name: "euros", account: "••3000" },
    { name: "dollars", account: "••4000" },
  ],
  problems: { AMOUNT_DIFFERS: "The amounts differ." },
  compare: (bank, { to }, factsOf) =>
    Effect.map(
      factsOf([
        ...asked.references.map((reference) => ({ reference, platformId: asked.platformId })),
        { reference: asked.references[0] ?? "", platformId: "PlatformConfig:2" },
      ]),
      (facts) => comparisonOf(bank, to, asked.platformId, facts),
    ),
  withoutOrder: (submitted) =>
    Effect.succeed(submitted.filter(({ amount }) => amount % 2 === 0).map(({ reference }) => reference)),
})

export const reportSteps = async (it: Written) => {
  const { back, cancelled, failed, moved, open, paid, pulled } = await payments(it)
  asked.platformId = it.pay.platformId
  asked.references = [
    open,
    moved,
    pulled,
    failed,
    back,
    paid,
    cancelled,
    "Transaction:01234567-0123-7000-8000-000000000000",
  ]
  const path = "/operator/books/reconciliation"
  await it.call("GET", path)
  for (const minutes of [9, 1, 1]) {
    await it.pay.clock.advance(`${minutes} minutes`)
    await it.call("GET", `${path}?bank=euros`)
  }
  const today = new Date(await it.pay.clock.now()).toISOString().slice(0, 10)
  for (const query of [
    "?bank=dollars",
    "?bank=pounds",
    `?from=${today}`,
    `?to=${today}&bank=euros`,
    "?from=2026-01-02&to=2026-01-01",
    "?from=2026-01-01&to=2026-01-31",
    "?from=2026-01-01&to=2026-02-01",
    "?from=today",
  ]) {
    await it.call("GET", `${path}${query}`)
  }
}

export const bookSteps = async (it: Written) => {
  const made = await payments(it)
  await queries(it, made)
  await books(it, made.moved)
  await it.call("GET", "/operator/books/reconciliation?bank=pounds")
}
