/** Transfers that each rule refuses, the daily volume, cards in the lists of transactions, and payments by the platform to its customers. */
import { InternalAccounts } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { DailyVolume } from "@countersign/core/ports"
import { Effect, Layer } from "effect"
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import { at } from "../customer/CustomerRequests.ts"
import { setStatus } from "./DepositRefundSteps.ts"
import { outcomeOf, show } from "./DepositSteps.ts"
import { mexican } from "./QuoteRefusalSteps.ts"
import type { Written } from "./TranscriptWorld.ts"
import { later, pairsOf, refused, returned, transferIn, transferOut } from "./TransferOutcomeSteps.ts"

type Pair = Awaited<ReturnType<typeof pairsOf>>["own"]

const unknown = (kind: string) => `${kind}:01234567-0123-7000-8000-000000000000`

const add = async (it: Written, body: object) =>
  idAt(await it.prepare("POST", "/customers/external-accounts", body), "id")

const push = (it: Written, source: string, destination: string, more: object = {}) =>
  it.call("POST", "/transfer-out", {
    body: { source: { accountId: source }, destination: { accountId: destination }, ...more },
  })

const pull = (it: Written, source: string, destination: string, more: object = {}) =>
  it.call("POST", "/transfer-in", {
    body: { source: { accountId: source }, destination: { accountId: destination }, ...more },
  })

const statusOf = (it: Written, id: string, status: string) =>
  it.call("POST", `/sandbox/external-accounts/${id}/status`, { body: { status } })

const rules = async (it: Written, own: Pair, platform: Pair) => {
  const { customerId } = it.callers
  const peso = await add(it, mexican(customerId, "000"))
  const some = { amount: 11 }
  for (const amount of [0, -1]) {
    await push(it, own.internal, own.external, { amount })
    await pull(it, own.external, own.internal, { amount })
  }
  await push(it, unknown("InternalAccount"), own.external, some)
  await push(it, own.internal, unknown("ExternalAccount"), some)
  await pull(it, unknown("ExternalAccount"), own.internal, some)
  await pull(it, own.external, unknown("InternalAccount"), some)
  await push(it, own.internal, platform.external, some)
  await push(it, platform.internal, own.external, some)
  await pull(it, platform.external, own.internal, some)
  await pull(it, own.external, platform.internal, some)
  await push(it, own.internal, peso, some)
  await pull(it, peso, own.internal, some)
  await push(it, own.internal, own.external, { ...some, purposeOfPayment: "GIFT" })
  const wallets = await it.prepare("GET", `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
  const spark = { accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` }
  const wallet = await add(it, { customerId, currency: "USDC", accountInfo: spark })
  await push(it, String(at(wallets, "data", 0, "id")), wallet, some)
  const usdc = await it.prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  await pull(it, wallet, idAt(usdc, "data", 0, "id"), some)
  it.answerNext(
    "Rails.inspectPull",
    { pullable: true, funds: "unknown" },
    { pullable: true, reported: 0, funds: "unknown" },
  )
  await pull(it, own.external, own.internal)
  await pull(it, own.external, own.internal)
  it.answerNext("Rails.inspectPull", { pullable: true, funds: "insufficient" }, { pullable: true, funds: "sufficient" })
  await pull(it, own.external, own.internal, some)
  await pull(it, own.external, own.internal, { amount: 12 })
  await setStatus(it, own.internal, "FROZEN")
  await push(it, own.internal, own.external, some)
  await pull(it, own.external, own.internal, some)
  await setStatus(it, own.internal, "ACTIVE")
  await statusOf(it, own.external, "INACTIVE")
  await push(it, own.internal, own.external, some)
  await pull(it, own.external, own.internal, some)
  await statusOf(it, own.external, "ACTIVE")
}

/** A customer whose check is not approved. */
const parties = async (it: Written) => {
  const person = { customerType: "INDIVIDUAL", fullName: "Ada", platformCustomerId: "waiting", currencies: ["USD"] }
  it.answerNext("Verifier.checkCustomer", "PENDING")
  const pending = idAt(await it.prepare("POST", "/customers", person), "id")
  const accounts = await it.prepare("GET", `/customers/internal-accounts?customerId=${pending}&currency=USD`)
  const internal = String(at(accounts, "data", 0, "id"))
  const external = await add(it, externalAccountBody({ customerId: pending }, "000"))
  await push(it, internal, external, { amount: 5 })
  await pull(it, external, internal, { amount: 5 })
  await it.call("POST", "/quotes", { body: quoteBetween(internal, external, 5) })
}

/** An account that is paused after the transfer was made, and before the rail is asked. */
const paused = async (it: Written, own: Pair) => {
  it.answerNext("Rails.push", await later(it, 40_000))
  const sent = await transferOut(it, own, 21)
  it.answerNext("Rails.pull", await later(it, 40_000))
  const drawn = await transferIn(it, own, 22)
  await statusOf(it, own.external, "INACTIVE")
  await it.pay.clock.advance("1 minute")
  await statusOf(it, own.external, "ACTIVE")
  const body = { source: { accountId: own.internal }, destination: { accountId: own.external }, amount: 23 }
  const both = Effect.promise(async () => {
    const made = await it.pay.send("POST", "/transfer-out", { body })
    const path = `/sandbox/external-accounts/${own.external}/status`
    await it.pay.send("POST", path, { body: { status: "INACTIVE" } })
    return made.body
  })
  const { id: blocked = "" }: { readonly id?: string } = Object(await it.report("a transfer, then a pause", both))
  await it.pay.clock.advance("10 seconds")
  await show(it, blocked)
  await statusOf(it, own.external, "ACTIVE")
  for (const id of [sent, drawn]) await show(it, id)
  await push(it, own.internal, own.external)
  await push(it, own.internal, own.external)
  await it.call("GET", `/internal-accounts/${own.internal}`)
}

/** A card transaction as a transaction, and its money that an account cannot take. */
const cards = async (it: Written) => {
  const { accountId, customerId } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 3000 })
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const card = idAt(await it.call("POST", "/cards", { body: issue }), "id")
  const currency = { code: "USD", name: "Dollar", symbol: "$", decimals: 2 }
  const purchase = { amount: 310, currency, merchant: { descriptor: "Shop 000", mcc: "5411", country: "US" } }
  const simulate = (kind: string, body: object) => it.call("POST", `/sandbox/cards/${card}/simulate/${kind}`, { body })
  await simulate("financial_authorization", purchase)
  const id = idAt(await it.prepare("GET", "/transactions?type=CARD"), "data", 0, "id")
  await show(it, id)
  await it.call("POST", `/transactions/${id}/cancel`, { body: {} })
  await it.call("POST", `/transactions/${id}/confirm`)
  await it.call("POST", `/transactions/${id}/refund/retry`)
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(accountId, amountMax - 2690)),
  )
  await simulate("return", { cardTransactionId: id, amount: 310 })
  await it.call("GET", "/unapplied-money")
  await it.call("POST", `/unapplied-money/${id}/apply`, { body: {} })
  const external = await add(it, externalAccountBody({ customerId }, "000", "1112223"))
  await push(it, accountId, external, { amount: 4000 })
  await it.pay.clock.advance("5 seconds")
  await it.call("POST", `/unapplied-money/${id}/apply`, { body: {} })
  await show(it, id)
}

export const transferRuleSteps = async (it: Written) => {
  const { own, platform } = await pairsOf(it)
  await rules(it, own, platform)
  await parties(it)
  await paused(it, own)
  await cards(it)
}

/** A customer may pay 1,000 of dollars a day, the platform with all its customers 1,500. */
export const volumes = Layer.succeed(DailyVolume, { perCustomer: { USD: 1000 }, perPlatform: { USD: 1500 } })

/** The daily volume: counted by transfers and quotes, given back by what fails on the same day, and new on the next. */
export const volumeSteps = async (it: Written) => {
  const { own, platform } = await pairsOf(it)
  const limit = (pair: Pair, amount: number, more: object = {}) =>
    push(it, pair.internal, pair.external, { amount, ...more })
  // It fails as the day ends, and is not given back to the next one.
  it.answerNext("Rails.push", await later(it, 43_200_000))
  it.answerNext("Rails.inquire", refused("EXECUTION_FAILED"))
  await limit(platform, 5)
  await limit(own, 1001)
  await limit(own, 600)
  await limit(own, 401)
  it.answerNext("Rails.push", refused("EXECUTION_FAILED"))
  await limit(own, 400)
  await it.pay.clock.advance("10 seconds")
  await limit(own, 399)
  await limit(platform, 497)
  await limit(platform, 496)
  const abroad = await add(it, mexican(it.callers.customerId, "000"))
  const quote = idAt(await it.call("POST", "/quotes", { body: quoteBetween(own.internal, abroad, 700) }), "id")
  await it.call("POST", `/quotes/${quote}/execute`)
  await it.pay.clock.advance("12 hours")
  const next = idAt(await it.call("POST", "/quotes", { body: quoteBetween(own.internal, abroad, 701) }), "id")
  await it.call("POST", `/quotes/${next}/execute`)
  it.answerNext("Rails.push", await later(it, 90_000_000))
  const slow = await transferOut(it, own, 299)
  await limit(own, 1)
  await it.pay.clock.advance("1 day")
  await outcomeOf(it, slow, returned)
  await limit(own, 1000)
  await limit(own, 1)
}
