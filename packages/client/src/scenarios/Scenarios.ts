/**
 * Named scenarios: the initial records of a test or a demonstration, created over the interface. Each returns their identifiers.
 * Source: D-234.
 */
import type { ScenarioContext } from "./ScenarioContext.ts"
import {
  addAgent,
  addBankAccount,
  addBusiness,
  addCard,
  addCustomer,
  addPerson,
  clear,
  fund,
  giveBack,
  payOut,
  pull,
  purchase,
  quoteToMexico,
  requestPull,
  signIn,
  untilStatus,
  verify,
  walletOf,
} from "./ScenarioSteps.ts"

/** Only the platform. */
const empty = async (_: ScenarioContext) => ({})

/** A customer whose agent requested a transfer that waits for the platform's approval. */
const agentWaitingForApproval = async (context: ScenarioContext) => {
  const { accountId, customerId } = await addCustomer(context, "Ada Lovelace")
  await fund(context, accountId, 100_000)
  const sourceId = await addBankAccount(context, customerId, { accountNumber: "12345000", fullName: "Ada Lovelace" })
  const { accessToken, agentId } = await addAgent(context, customerId, "Payroll", {
    permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 100_000, monthlyLimit: 1_000_000 },
  })
  const actionId = await requestPull(context, accessToken, { from: sourceId, to: accountId, amount: 25_000 })
  return { customerId, accountId, sourceId, agentId, accessToken, actionId }
}

/** Two customers with money and history, an agent that acts without approval, and one that waits for it. */
const demo = async (context: ScenarioContext) => {
  const waiting = await agentWaitingForApproval(context)
  const { accountId, customerId, sourceId } = waiting
  const supplierId = await addBankAccount(context, customerId, { accountNumber: "98765000", fullName: "Grace Hopper" })
  const paymentId = await payOut(context, {
    from: accountId,
    to: supplierId,
    amount: 12_345,
    remittanceInformation: "Invoice 1",
  })
  const treasury = await addAgent(context, customerId, "Treasury", {
    permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 10_000, dailyLimit: 30_000, monthlyLimit: 100_000 },
  })
  await requestPull(context, treasury.accessToken, { from: sourceId, to: accountId, amount: 5000 })
  const europe = await addCustomer(context, "Emmy Noether", "EUR")
  await fund(context, europe.accountId, 50_000)
  return { ...waiting, supplierId, paymentId, treasury, europe }
}

/** A wallet with money and a new session, whose key signs for 15 minutes. */
const fundedWalletWithSession = async (context: ScenarioContext) => {
  const { customerId } = await addCustomer(context, "Ada Lovelace")
  const { credentialId, walletId } = await walletOf(context, customerId)
  await fund(context, walletId, 100_000)
  return { customerId, walletId, credentialId, ...(await signIn(context, credentialId)) }
}

/** A card on an account with money. */
const activeCard = async (context: ScenarioContext) => {
  const cardholder = await addCustomer(context, "Ada Lovelace")
  await fund(context, cardholder.accountId, 100_000)
  return { ...cardholder, cardId: await addCard(context, cardholder) }
}

/** Two cards of one customer, with purchases that are authorized, cleared, given back and declined. */
const cardProgramme = async (context: ScenarioContext) => {
  const cardholder = await addCustomer(context, "Mary Somerville")
  const { accountId, customerId } = cardholder
  await fund(context, accountId, 200_000)
  const cardId = await addCard(context, cardholder)
  const pausedCardId = await addCard(context, cardholder)
  await context.client.cards.updateCardById({ params: { id: pausedCardId }, payload: { state: "FROZEN" } })
  const buy = (merchant: string, amount: number) => purchase(context, { cardId, customerId, merchant, amount })
  const authorizedId = await buy("Hotel 000", 12_500)
  const settledId = await buy("Groceries 000", 4200)
  await clear(context, { cardId, cardTransactionId: settledId, amount: 4200 })
  const partlySettledId = await buy("Parts 000", 9000)
  await clear(context, { cardId, cardTransactionId: partlySettledId, amount: 3000 })
  const refundedId = await buy("Bookshop 000", 3100)
  await clear(context, { cardId, cardTransactionId: refundedId, amount: 3100 })
  await untilStatus(context, refundedId, "SETTLED")
  await giveBack(context, { cardId, cardTransactionId: refundedId, amount: 3100 })
  return { ...cardholder, cardId, pausedCardId, authorizedId, settledId, partlySettledId, refundedId }
}

/** Payments in, out and abroad: delivered, refused, under way, returned, and waiting for their execution. */
const paymentsInEveryState = async (context: ScenarioContext) => {
  const payer = await addCustomer(context, "Joan Clarke")
  const { accountId, customerId } = payer
  await fund(context, accountId, 500_000)
  const account = (suffix: string, fullName: string) =>
    addBankAccount(context, customerId, { accountNumber: `55512${suffix}`, fullName })
  const ownId = await account("000", "Joan Clarke")
  const emptyId = await account("002", "Joan Clarke")
  const closedId = await account("003", "Grace Hopper")
  const slowId = await account("005", "Katherine Johnson")
  const out = { from: accountId, amount: 7500 }
  const paidId = await payOut(context, { ...out, to: ownId, remittanceInformation: "Invoice 7" })
  const refusedId = await payOut(context, { ...out, to: closedId, remittanceInformation: "Invoice 8" }, "FAILED")
  const pendingId = await payOut(context, { ...out, to: slowId, remittanceInformation: "Invoice 9" }, "PENDING")
  const collectedId = await pull(context, { from: ownId, to: accountId, amount: 9900 })
  const uncollectedId = await pull(context, { from: emptyId, to: accountId, amount: 9900 })
  const quoteOf = (suffix: string) => quoteToMexico(context, { customerId, accountId, amount: 20_000 }, suffix)
  const abroad = async (suffix: string) => {
    const { id: quoteId, transactionId } = await quoteOf(suffix)
    await context.client.quotes.executeQuote({ params: { quoteId } })
    return transactionId
  }
  const deliveredAbroadId = await abroad("000")
  const underWayAbroadId = await abroad("003")
  const refundedAbroadId = await abroad("002")
  const { id: openQuoteId } = await quoteOf("008")
  await untilStatus(context, collectedId, "COMPLETED")
  await untilStatus(context, deliveredAbroadId, "COMPLETED")
  return {
    ...payer,
    paidId,
    refusedId,
    pendingId,
    collectedId,
    uncollectedId,
    deliveredAbroadId,
    underWayAbroadId,
    refundedAbroadId,
    openQuoteId,
  }
}

/** People and businesses whose checks are approved, pending, rejected, or ask for more. */
const customersInEveryState = async (context: ScenarioContext) => {
  const approvedPersonId = await addPerson(context, "Ada Lovelace")
  const pendingPersonId = await addPerson(context, "Ada 001")
  const rejectedPersonId = await addPerson(context, "Ada 002")
  const unverifiedPersonId = await addPerson(context, "Ada 003")
  await verify(context, unverifiedPersonId)
  const approvedBusinessId = await addBusiness(context, "523", "Analytical Engines")
  await verify(context, approvedBusinessId)
  const reviewedBusinessId = await addBusiness(context, "001", "Difference Engines")
  await verify(context, reviewedBusinessId)
  const rejectedBusinessId = await addBusiness(context, "002", "Perpetual Motion")
  await verify(context, rejectedBusinessId)
  const unverifiedBusinessId = await addBusiness(context, "523", "Looms and Cards")
  return {
    approvedPersonId,
    pendingPersonId,
    rejectedPersonId,
    unverifiedPersonId,
    approvedBusinessId,
    reviewedBusinessId,
    rejectedBusinessId,
    unverifiedBusinessId,
  }
}

/** Events of a customer, of whose deliveries most fail. The fault stays on. */
const failingWebhooks = async (context: ScenarioContext) => {
  const { client } = context
  const customer = await addCustomer(context, "Hedy Lamarr")
  const { webhookEndpoint } = await client.platform.getPlatformConfig()
  if (webhookEndpoint === undefined) await client.sandboxInbox.sandboxOpenInbox({ payload: {} })
  const { issuer, rail, seed, store } = await client.sandboxFaults.sandboxGetFaults()
  const others = {
    ...(issuer === undefined ? {} : { issuer }),
    ...(rail === undefined ? {} : { rail }),
    ...(store === undefined ? {} : { store }),
  }
  const webhooks = { kind: "STATUS", status: 503, percent: 60 } as const
  await client.sandboxFaults.sandboxSetFaults({ payload: { ...others, seed, webhooks } })
  const payeeId = await addBankAccount(context, customer.customerId, {
    accountNumber: "55512000",
    fullName: "Ida Rhodes",
  })
  for (const amount of [10_000, 20_000, 30_000]) await fund(context, customer.accountId, amount)
  const paymentId = await payOut(context, {
    from: customer.accountId,
    to: payeeId,
    amount: 5000,
    remittanceInformation: "Invoice 3",
  })
  return { ...customer, payeeId, paymentId }
}

/** The scenarios by name. */
export const Scenarios = {
  empty,
  demo,
  "agent-waiting-for-approval": agentWaitingForApproval,
  "funded-wallet-with-session": fundedWalletWithSession,
  "active-card": activeCard,
  "card-programme": cardProgramme,
  "payments-in-every-state": paymentsInEveryState,
  "customers-in-every-state": customersInEveryState,
  "failing-webhooks": failingWebhooks,
} as const

/** The name of any scenario, also of one that a running sandbox does not offer. */
export type ScenarioName = keyof typeof Scenarios
/** The names of all scenarios, for a choice among them. */
export const scenarioNames = [
  "empty",
  "demo",
  "agent-waiting-for-approval",
  "funded-wallet-with-session",
  "active-card",
  "card-programme",
  "payments-in-every-state",
  "customers-in-every-state",
  "failing-webhooks",
] as const satisfies ReadonlyArray<ScenarioName>
/** The identifiers that a scenario returns. */
export type Handles<Name extends ScenarioName> = Awaited<ReturnType<(typeof Scenarios)[Name]>>
