/** Messages of the card network: each decline, clearings and returns at their bounds, failed pulls, expiries and debts. */
import { CardTransactions } from "@countersign/core"
import { idAt, ids } from "../confinement/Bodies.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const unknown = "01a1fdfa-4600-7000-8000-00000000ffff"
const merchant = (suffix: string) => ({ descriptor: `Shop ${suffix}`, mcc: "5411", country: "US" })

interface Cards {
  readonly cardId: string
  readonly accountId: string
}

const cardOf = async ({ call, callers, pay }: TranscriptSteps, more: object = {}) => {
  const body = { cardholderId: callers.customerId, form: "VIRTUAL", fundingSources: [callers.accountId], ...more }
  const id = idAt(await call("POST", "/cards", { body }), "id")
  await pay.clock.advance("1 second")
  return id
}

const simulate = ({ call }: TranscriptSteps, cardId: string, kind: string, body: object) =>
  call("POST", `/sandbox/cards/${cardId}/simulate/${kind}`, { body })

interface Purchase {
  readonly currency?: string
  readonly kind?: string
  readonly suffix?: string
}

/** Simulates an authorization, and returns the id of its transaction. */
const authorize = async (
  it: TranscriptSteps,
  cardId: string,
  amount: number,
  { currency = "USD", kind = "authorization", suffix = "000" }: Purchase = {},
) => {
  await it.pay.clock.advance("1 second")
  await simulate(it, cardId, kind, { amount, currency, merchant: merchant(suffix) })
  const { data } = Object((await it.pay.send("GET", "/transactions?type=CARD&limit=1")).body)
  return String(data?.[0]?.id)
}

const declines = async (it: TranscriptSteps, { cardId }: Cards) => {
  const { answerNext, call, pay, run } = it
  const frozen = await cardOf(it)
  const closed = await cardOf(it)
  await call("PATCH", `/cards/${frozen}`, { body: { state: "FROZEN" } })
  await call("PATCH", `/cards/${closed}`, { body: { state: "CLOSED" } })
  const waiting = await cardOf(it, { platformCardId: "waiting-001" })
  answerNext("Issuer.provision", { _tag: "Done", brand: "VISA", last4: "4444", expMonth: 11, expYear: 2026 })
  const expiring = await cardOf(it)
  for (const id of [frozen, closed, waiting]) await authorize(it, id, 1)
  for (const amount of [901, 900]) await authorize(it, cardId, amount)
  await authorize(it, cardId, 1, { suffix: "002" })
  await authorize(it, await cardOf(it), 5000)
  await authorize(it, cardId, 901, { kind: "credit_authorization" })
  await simulate(it, cardId, "authorization", { amount: 3, currency: "USDB", merchant: merchant("000") })
  await simulate(it, `Card:${unknown}`, "authorization", { amount: 3, currency: "USD", merchant: merchant("000") })
  await simulate(it, cardId, "balance_inquiry", { merchant: merchant("003") })
  await simulate(it, `Card:${unknown}`, "balance_inquiry", { merchant: merchant("000") })
  // The network's own authorization, which it repeats.
  const own = {
    cardId,
    issuerTransactionToken: "token-7",
    amount: 33,
    currency: "USD",
    merchant: merchant("000"),
    direction: "DEBIT",
    isFinancial: false,
  } as const
  for (const amount of [33, 34])
    await run(
      "the network authorizes",
      CardTransactions.use((all) => all.authorize({ ...own, amount })),
    )
  await pay.clock.advance("10 days")
  await authorize(it, expiring, 1)
}

const messages = async (it: TranscriptSteps, { accountId, cardId }: Cards) => {
  const { call, prepare, run } = it
  const other = await cardOf(it)
  const clear = (id: string, amount: number) => simulate(it, cardId, "clearing", { cardTransactionId: id, amount })
  const advise = (id: string, amount: number) =>
    simulate(it, cardId, "authorization_advice", { cardTransactionId: id, amount })
  const giveBack = (id: string, amount: number) => simulate(it, cardId, "return", { cardTransactionId: id, amount })
  const reverse = (id: string) => simulate(it, cardId, "return_reversal", { cardTransactionId: id })
  await clear(`CardTransaction:${unknown}`, 5)
  const first = await authorize(it, cardId, 110)
  await simulate(it, other, "clearing", { cardTransactionId: first, amount: 5 })
  for (const amount of [130, 90]) await advise(first, amount)
  await giveBack(first, 5)
  await reverse(first)
  await clear(first, 30)
  await advise(first, 100)
  await clear(first, 70)
  await advise(first, 120)
  await clear(first, 0)
  for (const amount of [101, 40, 60]) await giveBack(first, amount)
  await clear(first, 5)
  await reverse(first)
  await reverse(first)
  await call("GET", `/transactions/${first}`)
  const lowered = await authorize(it, cardId, 50)
  await clear(lowered, 20)
  await advise(lowered, 20)
  await clear(lowered, 7)
  const ended = await authorize(it, cardId, 45)
  await clear(ended, 0)
  await clear(ended, 9)
  const credit = await authorize(it, cardId, 35, { kind: "credit_authorization" })
  await simulate(it, cardId, "credit_authorization_advice", { amount: 36, currency: "USD", merchant: merchant("000") })
  await clear(credit, 34)
  await giveBack(credit, 3)
  // The network's own message, which it repeats.
  const mine = await authorize(it, cardId, 60)
  const message = {
    cardId,
    cardTransactionId: mine,
    messageId: "message-1",
    message: { _tag: "Clearing", amount: 21 },
  } as const
  for (const _ of [1, 2])
    await run(
      "the network clears",
      CardTransactions.use((all) => all.receive(message)),
    )
  // A raised authorization holds what the account has, and more than that becomes a debt.
  const raised = await authorize(it, cardId, 80)
  const { amount } = Object(Object((await prepare("GET", `/internal-accounts/${accountId}`)).body).balance)
  await advise(raised, Number(amount) + 80 + 500)
  await clear(raised, Number(amount) + 80 + 400)
  await call("GET", `/internal-accounts/${accountId}`)
  await giveBack(first, 25)
  await authorize(it, cardId, 44, { kind: "financial_credit_authorization" })
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 20_000 })
  await call("GET", `/internal-accounts/${accountId}`)
}

const pulls = async (it: TranscriptSteps, { cardId }: Cards) => {
  const { answerNext, call, pay, run } = it
  const clear = (id: string, amount: number) => simulate(it, cardId, "clearing", { cardTransactionId: id, amount })
  const report = (id: string, index: number, tag: "Done" | "Refused") =>
    run(
      `report ${tag} of ${index}`,
      CardTransactions.use((all) => all.report(id, index, { _tag: tag })),
    )
  const slow = await authorize(it, cardId, 65, { suffix: "005" })
  await clear(slow, 41)
  await simulate(it, cardId, "return", { cardTransactionId: slow, amount: 3 })
  await pay.clock.advance("1 minute")
  await clear(slow, 24)
  await report(slow, 1, "Done")
  await report(slow, 1, "Refused")
  await report(slow, 7, "Done")
  await pay.clock.advance("1 minute")
  const failing = await authorize(it, cardId, 75, { suffix: "006" })
  await clear(failing, 30)
  await clear(failing, 5)
  await call("GET", `/transactions/${failing}`)
  await report(failing, 0, "Refused")
  await report(failing, 0, "Done")
  await call("GET", `/transactions/${failing}`)
  answerNext(
    "Issuer.collect",
    { _tag: "Unknown", cause: "away" },
    { _tag: "Later", at: (await pay.clock.now()) + 90_000 },
  )
  const late = await authorize(it, cardId, 85)
  await clear(late, 95)
  await pay.clock.advance("5 minutes")
  await call("GET", `/transactions/${late}`)
  // What nobody clears expires, before and after a part was cleared.
  const part = await authorize(it, cardId, 29)
  await clear(part, 8)
  await authorize(it, cardId, 28)
  await authorize(it, cardId, 27, { kind: "credit_authorization" })
  await authorize(it, cardId, 26, { kind: "financial_authorization" })
  await pay.clock.advance("8 days")
}

/** The second account pays what the first cannot, and a closed customer's money is set aside. */
const sources = async (it: TranscriptSteps) => {
  const { call, prepare } = it
  const body = { customerType: "INDIVIDUAL", fullName: "Grace Hopper", region: "US" }
  const customerId = idAt(await prepare("POST", "/customers", body), "id")
  const page = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USD`)
  const accountId = ids(page.body)[0] ?? ""
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 310 })
  const cardId = await cardOf(it, { cardholderId: customerId, fundingSources: [accountId] })
  const id = await authorize(it, cardId, 300)
  await simulate(it, cardId, "clearing", { cardTransactionId: id, amount: 310 })
  const stable = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDB`)
  const [first = "", second = ""] = ids(stable.body)
  await prepare("POST", `/sandbox/internal-accounts/${first}/fund`, { amount: 30 })
  await prepare("POST", `/sandbox/internal-accounts/${second}/fund`, { amount: 200 })
  const two = await cardOf(it, { cardholderId: customerId, fundingSources: [first, second] })
  for (const amount of [31, 30, 170, 169]) {
    const paid = await authorize(it, two, amount, { currency: "USDB" })
    if (amount !== 170) await simulate(it, two, "clearing", { cardTransactionId: paid, amount })
  }
  await call("DELETE", `/customers/${customerId}`)
  await authorize(it, cardId, 1)
  await simulate(it, cardId, "return", { cardTransactionId: id, amount: 90 })
  await call("GET", `/transactions/${id}`)
  await call("GET", "/unapplied-money")
}

const mainCard = async (it: TranscriptSteps): Promise<Cards> => {
  const { accountId } = it.callers
  await it.prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 3000 })
  return { accountId, cardId: await cardOf(it, { maxSpendPerTransaction: 900 }) }
}

export const cardMessageSteps = async (it: TranscriptSteps) => {
  const cards = await mainCard(it)
  const issue = { cardholderId: it.callers.customerId, form: "VIRTUAL", fundingSources: [cards.accountId] }
  await it.call("POST", "/cards", { body: { ...issue, threeDSecurePassword: "correct horse" } })
  await declines(it, cards)
  await messages(it, cards)
}

export const cardPullSteps = async (it: TranscriptSteps) => {
  await pulls(it, await mainCard(it))
  await sources(it)
}
