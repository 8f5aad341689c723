/** Requests of every operation about payments, quotes, transactions and cards, each of which succeeds for its owner. */
import { IncomingPayments } from "@countersign/core"
import { externalAccountBody, idAt, quoteBetween } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

/** An incoming payment that waits for the platform's decision. */
const waitingPayment = async ({ pay, callers: { accountId } }: StepWorld) => {
  const payment = { destinationAccountId: accountId, amount: 5, senderUmaAddress: "$b@b.example", requestedFields: [] }
  const { body } = await pay.run(IncomingPayments.use((all) => all.receive(payment)))
  pay.inbox.answerNext(202)
  await pay.settle()
  return body.id
}

const reads = async ({ call, callers: { accountId, customerId }, prepare }: StepWorld, externalAccountId: string) => {
  await call("GET", "/exchange-rates?sourceCurrency=USD&destinationCurrency=MXN")
  await call("GET", "/discoveries?country=PH")
  await call("GET", "/vasps")
  await call("GET", "/uma-providers")
  await call("GET", `/receiver/uma/${encodeURIComponent("$success.usd@uma.sandbox.example")}?customerId=${customerId}`)
  await call("GET", `/receiver/external-account/${externalAccountId}?customerId=${customerId}`)
  const usdc = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDC`)
  await call("POST", "/crypto/estimate-withdrawal-fee", {
    body: {
      internalAccountId: idAt(usdc, "data", 0, "id"),
      currency: "USDC",
      cryptoNetwork: "BASE",
      amount: 5_000_000,
      destinationAddress: `0x${"a1".repeat(20)}`,
    },
  })
  await call("GET", `/customers/internal-accounts?customerId=${customerId}`)
  await call("GET", `/internal-accounts?customerId=${customerId}`)
  await call("GET", `/internal-accounts/${accountId}`)
  await call("GET", "/platform/internal-accounts")
}

const transactions = async (it: StepWorld, externalAccountId: string) => {
  const { call, callers, pay, prepare } = it
  const { accountId } = callers
  const push = { source: { accountId }, destination: { accountId: externalAccountId }, amount: 70 }
  const pull = { source: { accountId: externalAccountId }, destination: { accountId }, amount: 60 }
  await call("POST", "/transfer-in", { body: pull })
  const pushed = idAt(await call("POST", "/transfer-out", { body: push }), "id")
  await call("GET", "/transactions")
  await call("GET", `/transactions/${pushed}`)
  await call("POST", `/transactions/${pushed}/confirm`)
  await call("POST", `/transactions/${await waitingPayment(it)}/approve`)
  await call("POST", `/transactions/${await waitingPayment(it)}/reject`)
  // Suffix 005 stays pending for half a minute, so that it can be cancelled.
  const slow = idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody(callers, "005")), "id")
  const wire = { ...push, destination: { accountId: slow, paymentRail: "WIRE" } }
  const pending = idAt(await prepare("POST", "/transfer-out", wire), "id")
  await call("POST", `/transactions/${pending}/cancel`)
  await pay.clock.advance("1 minute")
}

/** Payouts and refunds that fail (suffix 007) leave unapplied money. */
const unapplied = async ({ call, callers, pay, prepare }: StepWorld) => {
  const { accountId, customerId } = callers
  const body = { ...mexican("007"), customerId }
  const failing = idAt(await prepare("POST", "/customers/external-accounts", body), "id")
  const failed = async () => {
    const quote = await prepare("POST", "/quotes", quoteBetween(accountId, failing, 500))
    await prepare("POST", `/quotes/${idAt(quote, "id")}/execute`)
    await pay.clock.advance("1 minute")
    return idAt(quote, "transactionId")
  }
  const first = await failed()
  await call("GET", "/unapplied-money")
  await call("POST", `/unapplied-money/${first}/apply`, { body: {} })
  await call("POST", `/transactions/${await failed()}/refund/retry`)
}

const mexican = (suffix: string) => ({
  currency: "MXN",
  accountInfo: {
    accountType: "MXN_ACCOUNT",
    clabeNumber: `032180000118359${suffix}`,
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Frida Kahlo" },
  },
})

const quotes = async ({ call, callers, prepare }: StepWorld) => {
  const { accountId, customerId } = callers
  const abroad = await prepare("POST", "/customers/external-accounts", { ...mexican("000"), customerId })
  const body = quoteBetween(accountId, idAt(abroad, "id"), 900)
  const quoteId = idAt(await call("POST", "/quotes", { body }), "id")
  await call("GET", `/quotes/${quoteId}`)
  await call("POST", `/quotes/${quoteId}/execute`)
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD", customerId }
  const paid = idAt(await call("POST", "/quotes", { body: { ...body, source } }), "id")
  await call("POST", "/sandbox/send", { body: { quoteId: paid, currencyCode: "USD" } })
}

const purchase = {
  amount: 10,
  currency: { code: "USD", name: "Dollar", symbol: "$", decimals: 2 },
  merchant: { descriptor: "Shop 000", mcc: "5411", country: "US" },
}

const cards = async ({ call, callers, prepare }: StepWorld) => {
  const { accountId, customerId } = callers
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const id = idAt(await call("POST", "/cards", { body: issue }), "id")
  const path = `/cards/${id}`
  await call("GET", "/cards")
  await call("GET", path)
  await call("PATCH", path, { body: { maxSpendPerTransaction: 5000 } })
  await call("POST", `${path}/reveal`)
  const simulate = (kind: string, body: object) => call("POST", `/sandbox/cards/${id}/simulate/${kind}`, { body })
  const made = async (kind: string) => {
    const token = idAt(await simulate(kind, purchase), "issuerTransactionToken")
    const { body } = await prepare("GET", "/transactions?type=CARD&limit=100")
    const { data = [] }: { readonly data?: ReadonlyArray<Readonly<Record<string, unknown>>> } = Object(body)
    return data.find(({ issuerTransactionToken }) => issuerTransactionToken === token)?.["id"]
  }
  const open = await made("authorization")
  const settled = await made("financial_authorization")
  await simulate("credit_authorization", purchase)
  await simulate("financial_credit_authorization", purchase)
  await simulate("credit_authorization_advice", purchase)
  await simulate("balance_inquiry", { merchant: purchase.merchant })
  await simulate("authorization_advice", { cardTransactionId: open, amount: 15 })
  await simulate("clearing", { cardTransactionId: open, amount: 4 })
  await simulate("return", { cardTransactionId: settled, amount: 10 })
  await simulate("return_reversal", { cardTransactionId: settled })
}

export const moneySteps = async (it: StepWorld) => {
  const { callers, prepare } = it
  await prepare("POST", `/sandbox/internal-accounts/${callers.accountId}/fund`, { amount: 500_000 })
  const body = externalAccountBody(callers, "000")
  const externalAccountId = idAt(await prepare("POST", "/customers/external-accounts", body), "id")
  await reads(it, externalAccountId)
  await transactions(it, externalAccountId)
  await quotes(it)
  await unapplied(it)
  await cards(it)
}
