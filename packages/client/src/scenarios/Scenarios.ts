/**
 * Named scenarios: the initial records of a test or a demonstration, created over the interface. Each returns their identifiers.
 * Source: D-234.
 */
import type { ScenarioContext } from "./ScenarioContext.ts"
import {
  addAgent,
  addBankAccount,
  addCard,
  addCustomer,
  fund,
  payOut,
  requestPull,
  signIn,
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

/** The scenarios by name. */
export const Scenarios = {
  empty,
  demo,
  "agent-waiting-for-approval": agentWaitingForApproval,
  "funded-wallet-with-session": fundedWalletWithSession,
  "active-card": activeCard,
} as const

export type ScenarioName = keyof typeof Scenarios
export const scenarioNames = [
  "empty",
  "demo",
  "agent-waiting-for-approval",
  "funded-wallet-with-session",
  "active-card",
] as const satisfies ReadonlyArray<ScenarioName>
/** The identifiers that a scenario returns. */
export type Handles<Name extends ScenarioName> = Awaited<ReturnType<(typeof Scenarios)[Name]>>
