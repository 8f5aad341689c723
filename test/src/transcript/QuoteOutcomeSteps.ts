/** Quotes of agents, to customers of the platform by their address, over instant rails, and of accounts that change meanwhile. */
import { InternalAccounts } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { Effect } from "effect"
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import { at } from "../customer/CustomerRequests.ts"
import { setStatus } from "./DepositRefundSteps.ts"
import { outcomeOf, show } from "./DepositSteps.ts"
import { mexican } from "./QuoteRefusalSteps.ts"
import type { Written } from "./TranscriptWorld.ts"
import { done, later, refused, returned } from "./TransferOutcomeSteps.ts"

const add = async (it: Written, body: object) =>
  idAt(await it.prepare("POST", "/customers/external-accounts", body), "id")

const execute = (it: Written, id: string, body?: object) =>
  it.call("POST", `/quotes/${id}/execute`, body === undefined ? {} : { body })

/** An agent's quote whose pull or payout fails, fails its action. */
const agents = async (it: Written, pulled: string, abroad: string) => {
  const { accountId, agent } = it.callers
  await it.prepare("PATCH", `/agents/${agent.agentId}/policy`, { defaultExecutionMode: "AUTO" })
  for (const [index, source] of [pulled, accountId, pulled].entries()) {
    it.answerNext(source === pulled ? "Rails.pull" : "Rails.push", index === 2 ? returned : refused("ACCOUNT_INVALID"))
    const quote = idAt(
      await it.call("POST", "/agents/me/quotes", { body: quoteBetween(source, abroad, 6101 + index) }),
      "id",
    )
    const action = await it.call("POST", `/agents/me/quotes/${quote}/execute`)
    await it.call("GET", `/agents/me/actions/${at(action, "id")}`)
    await it.call("GET", `/agents/me/quotes/${quote}`)
  }
}

/** The address of another customer, whose account is credited inside. */
const addresses = async (it: Written) => {
  const { accountId, customerId } = it.callers
  const made = {
    customerType: "INDIVIDUAL",
    fullName: "Grace Hopper",
    platformCustomerId: "grace",
    currencies: ["USD", "USDC"],
  }
  const grace = await it.prepare("POST", "/customers", made)
  const umaAddress = idAt(grace, "umaAddress")
  const body = (lookupId: string, currency: string) => ({
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress, currency },
    lookupId,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 6201,
    immediatelyExecute: true,
  })
  const lookup = await it.call("GET", `/receiver/uma/${encodeURIComponent(umaAddress)}?customerId=${customerId}`)
  for (const currency of ["USD", "USDC"]) {
    const quote = await it.call("POST", "/quotes", { body: body(idAt(lookup, "lookupId"), currency) })
    await it.pay.clock.advance("4 seconds")
    await show(it, String(at(quote, "transactionId")))
  }
  const accounts = await it.prepare("GET", `/customers/internal-accounts?customerId=${idAt(grace, "id")}&currency=USDC`)
  return idAt(accounts, "data", 0, "id")
}

/** Rails that are named, and lifetimes that follow from them. */
const rails = async (it: Written, domestic: string, cryptoId: string) => {
  const { accountId, customerId } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${cryptoId}/fund`, { amount: 9_000_000 })
  for (const [source, paymentRail] of [
    [cryptoId, "RTP"],
    [cryptoId, "WIRE"],
    [accountId, "RTP"],
  ] as const) {
    const body = quoteBetween(source, domestic, 1_000_002)
    const destination = { ...body.destination, paymentRail }
    const more = source === accountId ? { lockedCurrencyAmount: 6302 } : {}
    await it.call("POST", "/quotes", { body: { ...body, ...more, destination, purposeOfPayment: "GIFT" } })
  }
  const account = { accountType: "BASE_WALLET", address: `0x${"a1".repeat(20)}` }
  const wallet = await add(it, { customerId, currency: "USDC", accountInfo: account })
  const sent = await it.call("POST", "/quotes", {
    body: { ...quoteBetween(cryptoId, wallet, 1_000_003), immediatelyExecute: true },
  })
  await it.pay.clock.advance("3 seconds")
  await show(it, idAt(sent, "transactionId"))
}

/** Accounts that are frozen, paused or deleted between a quote and its execution. */
const changes = async (it: Written, pulled: string, abroad: string, cryptoId: string) => {
  const { accountId } = it.callers
  const ask = async (source: string, destination: string, amount: number) =>
    idAt(await it.call("POST", "/quotes", { body: quoteBetween(source, destination, amount) }), "id")
  const into = await ask(accountId, cryptoId, 6401)
  await setStatus(it, cryptoId, "FROZEN")
  await execute(it, into)
  await it.call("POST", "/quotes", { body: quoteBetween(accountId, cryptoId, 6402) })
  await setStatus(it, cryptoId, "ACTIVE")
  const out = await ask(accountId, abroad, 6403)
  await setStatus(it, accountId, "FROZEN")
  await execute(it, out)
  await setStatus(it, accountId, "ACTIVE")
  const status = (id: string, to: string) =>
    it.call("POST", `/sandbox/external-accounts/${id}/status`, { body: { status: to } })
  const drawn = await ask(pulled, abroad, 6404)
  await status(pulled, "INACTIVE")
  await execute(it, drawn)
  await status(pulled, "ACTIVE")
  const both = Effect.promise(async () => {
    const executed = await it.pay.send("POST", `/quotes/${drawn}/execute`)
    await it.pay.send("POST", `/sandbox/external-accounts/${pulled}/status`, { body: { status: "INACTIVE" } })
    return executed.body
  })
  await it.report("an execution, then a pause", both)
  await it.call("GET", `/quotes/${drawn}`)
  await status(pulled, "ACTIVE")
}

/** A debt that a refund repays, and a payer's other amount, which fills an account. */
const remains = async (it: Written, abroad: string, domestic: string) => {
  const { accountId, customerId } = it.callers
  const pull = { source: { accountId: domestic }, destination: { accountId }, amount: 900 }
  const pulled = idAt(await it.call("POST", "/transfer-in", { body: pull }), "id")
  it.answerNext("Rails.push", await later(it, 60_000))
  const quote = await it.call("POST", "/quotes", {
    body: { ...quoteBetween(accountId, abroad, 5000), immediatelyExecute: true },
  })
  const account = await it.prepare("GET", `/internal-accounts/${accountId}`)
  const rest = Number(at(account, "balance", "amount"))
  await it.call("POST", "/transfer-out", {
    body: { source: { accountId }, destination: { accountId: domestic }, amount: rest - 100 },
  })
  await outcomeOf(it, pulled, returned)
  it.answerNext("Rails.inquire", refused("EXECUTION_FAILED"))
  it.answerNext("Rails.refund", done)
  await it.pay.clock.advance("2 minutes")
  await show(it, idAt(quote, "transactionId"))
  await it.call("GET", `/internal-accounts/${accountId}`)
  const source = { sourceType: "REALTIME_FUNDING", currency: "USDC", customerId, cryptoNetwork: "BASE" }
  const body = { ...quoteBetween("", abroad, 4_000_001), source }
  const funded = await it.call("POST", "/quotes", { body })
  const crypto = await it.prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  // The refund of the other amount fits exactly.
  const room = amountMax - Number(at(crypto, "data", 0, "totalBalance", "amount")) - 4_000_002
  const cryptoId = idAt(crypto, "data", 0, "id")
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(cryptoId, room)),
  )
  await it.call("POST", "/sandbox/send", {
    body: { quoteId: idAt(funded, "id"), currencyCode: "USDC", currencyAmount: 4_000_002 },
  })
  await show(it, idAt(funded, "transactionId"))
  await it.call("GET", "/unapplied-money")
}

const parts = async (it: Written) => {
  const { accountId, customerId } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 90_000 })
  const abroad = await add(it, mexican(customerId, "000"))
  const domestic = await add(it, { ...externalAccountBody({ customerId }, "000"), ownershipType: "FIRST_PARTY" })
  const crypto = await it.prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  return { abroad, domestic, cryptoId: idAt(crypto, "data", 0, "id") }
}

export const quoteOutcomeSteps = async (it: Written) => {
  const { abroad, cryptoId, domestic } = await parts(it)
  await agents(it, domestic, abroad)
  await addresses(it)
  await rails(it, domestic, cryptoId)
}

export const changedQuoteSteps = async (it: Written) => {
  const { abroad, cryptoId, domestic } = await parts(it)
  await changes(it, domestic, abroad, cryptoId)
  await remains(it, abroad, domestic)
}

/** In a world where every account with a bank rail is pulled, and in one where no account is. */
export const railPullSteps = async (it: Written) => {
  const { abroad } = await parts(it)
  const undeclared = await add(it, externalAccountBody({ customerId: it.callers.customerId }, "000", "3334445"))
  await it.call("POST", "/quotes", { body: { ...quoteBetween(undeclared, abroad, 7001), immediatelyExecute: true } })
  await it.call("POST", "/quotes", { body: { ...quoteBetween(abroad, undeclared, 7002), immediatelyExecute: true } })
}
