/** Quotes whose money is pulled, sent by a payer, or paid by the platform itself, and where it goes when the payment fails. */
import { InternalAccounts, Outcomes, UnappliedMoney } from "@countersign/core"
import { amountMax } from "@countersign/core/models"
import { externalAccountBody, idAt, quoteBetween } from "../confinement/Bodies.ts"
import { outcomeOf, show } from "./DepositSteps.ts"
import { mexican } from "./QuoteRefusalSteps.ts"
import type { Written } from "./TranscriptWorld.ts"
import { done, later, refused, returned } from "./TransferOutcomeSteps.ts"

const own = { ownershipType: "FIRST_PARTY" }

const add = async (it: Written, body: object) =>
  idAt(await it.prepare("POST", "/customers/external-accounts", body), "id")

const accountOf = async (it: Written, query: string) =>
  idAt(await it.prepare("GET", `/customers/internal-accounts?${query}`), "data", 0, "id")

const ask = async (it: Written, body: object) => {
  const quote = await it.call("POST", "/quotes", { body })
  return { id: idAt(quote, "id"), transactionId: idAt(quote, "transactionId") }
}

const execute = (it: Written, id: string) => it.call("POST", `/quotes/${id}/execute`)

/** The rail's answers to a pull. */
const pulls = async (it: Written, source: string, abroad: string) => {
  const answers = [
    [await later(it, 4000), { _tag: "Unknown", cause: "no answer" }, { ...done, transactionHash: "0xab" }],
    [refused("ACCOUNT_INVALID")],
    [returned],
    [await later(it, 1), { _tag: "Cancelled" }],
  ]
  for (const [index, [first, ...rest]] of answers.entries()) {
    it.answerNext("Rails.pull", first)
    it.answerNext("Rails.inquire", ...rest)
    const quote = await ask(it, quoteBetween(source, abroad, 2101 + index))
    await execute(it, quote.id)
    await it.pay.clock.advance("10 minutes")
    await show(it, quote.transactionId)
    await it.call("GET", `/quotes/${quote.id}`)
    await execute(it, quote.id)
  }
  const atOnce = { ...quoteBetween(source, abroad, 2109), immediatelyExecute: true }
  await ask(it, atOnce)
  const sent = await ask(it, quoteBetween(source, abroad, 2110))
  await it.prepare("DELETE", `/customers/external-accounts/${source}`)
  await execute(it, sent.id)
  await it.call("POST", "/sandbox/send", { body: { quoteId: sent.id, currencyCode: "USD" } })
}

/** A payer sends the amount, another one, another currency, too late, and twice. */
const payers = async (it: Written, abroad: string, cryptoId: string) => {
  const { customerId } = it.callers
  const send = (quoteId: string, currencyCode: string, currencyAmount?: number) =>
    it.call("POST", "/sandbox/send", { body: { quoteId, currencyCode, currencyAmount } })
  const dollars = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId }
  const coins = { sourceType: "REALTIME_FUNDING", currency: "USDC", customerId, cryptoNetwork: "BASE" }
  const body = quoteBetween("", abroad, 3101)
  const exact = await ask(it, { ...body, source: dollars })
  await send(exact.id, "EUR", 1)
  await execute(it, exact.id)
  await send(exact.id, "USD")
  await send(exact.id, "USD")
  await it.pay.clock.advance("1 minute")
  await show(it, exact.transactionId)
  const crypto = await ask(it, { ...body, source: coins, lockedCurrencyAmount: 3_100_002 })
  await send(crypto.id, "USDC", 3_100_001)
  await show(it, crypto.transactionId)
  const failing = await ask(it, { ...body, source: coins, lockedCurrencyAmount: 3_100_003 })
  it.answerNext("Rails.push", refused("EXECUTION_FAILED"))
  await send(failing.id, "USDC")
  await it.pay.clock.advance("5 seconds")
  await show(it, failing.transactionId)
  await it.call("GET", `/internal-accounts/${cryptoId}`)
  const wrong = await ask(it, { ...body, source: dollars, lockedCurrencyAmount: 3104 })
  await send(wrong.id, "USD", 3105)
  await show(it, wrong.transactionId)
  const late = await ask(it, { ...body, source: { ...dollars, customerId: undefined } })
  await it.pay.clock.advance("1 hour")
  await send(late.id, "USD")
  const platformPays = await ask(it, {
    ...body,
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    lockedCurrencyAmount: 3106,
  })
  await send(platformPays.id, "USD")
  await show(it, platformPays.transactionId)
}

/** Payments between internal accounts, of one customer, of the platform, and across currencies. */
const internals = async (it: Written, cryptoId: string, abroad: string) => {
  const { accountId } = it.callers
  const platformId = idAt(await it.prepare("GET", "/platform/internal-accounts?currency=USD"), "data", 0, "id")
  await it.prepare("POST", `/sandbox/internal-accounts/${platformId}/fund`, { amount: 70_000 })
  await it.prepare("POST", `/sandbox/internal-accounts/${cryptoId}/fund`, { amount: 2_000_000 })
  const run = async (body: object) => {
    const quote = await ask(it, { ...body, immediatelyExecute: true, description: "Internal" })
    await it.pay.clock.advance("3 seconds")
    await show(it, quote.transactionId)
    return quote
  }
  const exchanged = await run(quoteBetween(accountId, cryptoId, 4101))
  await outcomeOf(it, exchanged.transactionId, returned)
  await run(quoteBetween(platformId, accountId, 4102))
  const paid = await run({ ...quoteBetween(platformId, abroad, 4103) })
  await outcomeOf(it, paid.transactionId, returned)
  await it.pay.clock.advance("5 seconds")
  await show(it, paid.transactionId)
  await run({ ...quoteBetween(cryptoId, accountId, 1_000_004), lockedCurrencySide: "SENDING" })
  await it.call("GET", `/internal-accounts/${accountId}`)
  await it.call("GET", `/internal-accounts/${platformId}`)
}

/** A refund that the rail refuses, retries, an account that is full, and a debt that the refund repays. */
const refunds = async (it: Written, abroad: string, cryptoId: string) => {
  const { accountId } = it.callers
  const fail = async (amount: number, ...answers: ReadonlyArray<unknown>) => {
    it.answerNext("Rails.push", refused("EXECUTION_FAILED"))
    it.answerNext("Rails.refund", ...answers)
    const quote = await ask(it, quoteBetween(accountId, abroad, amount))
    await execute(it, quote.id)
    await it.pay.clock.advance("1 minute")
    return quote.transactionId
  }
  const first = await fail(5101, refused("TIMED_OUT"))
  it.answerNext("Rails.refund", done)
  await it.call("POST", `/transactions/${first}/refund/retry`)
  await show(it, first)
  const second = await fail(5102, refused("TIMED_OUT"))
  await it.call("POST", `/unapplied-money/${second}/apply`, { body: { accountId: cryptoId } })
  await it.report(
    "UnappliedMoney.giveBack",
    UnappliedMoney.use((all) => all.giveBack(second, "wire 77")),
  )
  await show(it, second)
  const delivered = await ask(it, quoteBetween(accountId, abroad, 5103))
  await execute(it, delivered.id)
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(cryptoId, amountMax - 50_000_000)),
  )
  const into = await ask(it, { ...quoteBetween(accountId, cryptoId, 6000) })
  await it.report(
    "InternalAccounts.fund",
    InternalAccounts.use((all) => all.fund(cryptoId, 5_000_000)),
  )
  await execute(it, into.id)
  await it.pay.clock.advance("5 seconds")
  await show(it, into.transactionId)
  await it.report(
    "late",
    Outcomes.use((all) => all.report(delivered.transactionId, refused("TIMED_OUT"))),
  )
  await it.report(
    "returned",
    Outcomes.use((all) => all.report(delivered.transactionId, returned)),
  )
  await it.pay.clock.advance("5 seconds")
  await show(it, delivered.transactionId)
}

export const quoteFundingSteps = async (it: Written) => {
  const { accountId, customerId } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 90_000 })
  const abroad = await add(it, mexican(customerId, "000"))
  const cryptoId = await accountOf(it, `customerId=${customerId}&currency=USDC`)
  await pulls(it, await add(it, { ...externalAccountBody({ customerId }, "000"), ...own }), abroad)
  await payers(it, abroad, cryptoId)
}

export const internalQuoteSteps = async (it: Written) => {
  const { accountId, customerId } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 90_000 })
  const abroad = await add(it, mexican(customerId, "000"))
  const cryptoId = await accountOf(it, `customerId=${customerId}&currency=USDC`)
  await internals(it, cryptoId, abroad)
  await refunds(it, abroad, cryptoId)
}
