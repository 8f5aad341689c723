/**
 * Named worlds: what a test or a demonstration begins with, set up over the interface. Each answers its handles.
 * Source: D-234.
 */

import type { ScenarioContext } from "./ScenarioContext.ts"
import {
  addAgent,
  addBankAccount,
  addCard,
  addCustomer,
  askForPull,
  fund,
  payOut,
  signIn,
  walletOf,
} from "./ScenarioSteps.ts"

/** Nothing but the platform. */
const empty = async (_: ScenarioContext) => ({})

/** A customer whose agent asked for money; the platform has to approve it. */
const agentWaitingForApproval = async (stage: ScenarioContext) => {
  const { accountId, customerId } = await addCustomer(stage, "Ada Lovelace")
  await fund(stage, accountId, 100_000)
  const sourceId = await addBankAccount(stage, customerId, { accountNumber: "12345000", fullName: "Ada Lovelace" })
  const { accessToken, agentId } = await addAgent(stage, customerId, "Payroll", {
    permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 100_000, monthlyLimit: 1_000_000 },
  })
  const actionId = await askForPull(stage, accessToken, { from: sourceId, to: accountId, amount: 25_000 })
  return { customerId, accountId, sourceId, agentId, accessToken, actionId }
}

/** Two customers with money and history, an agent that acts by itself, and one that waits for approval. */
const demo = async (stage: ScenarioContext) => {
  const waiting = await agentWaitingForApproval(stage)
  const { accountId, customerId, sourceId } = waiting
  const supplierId = await addBankAccount(stage, customerId, { accountNumber: "98765000", fullName: "Grace Hopper" })
  const paymentId = await payOut(stage, {
    from: accountId,
    to: supplierId,
    amount: 12_345,
    remittanceInformation: "Invoice 1",
  })
  const treasury = await addAgent(stage, customerId, "Treasury", {
    permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 10_000, dailyLimit: 30_000, monthlyLimit: 100_000 },
  })
  await askForPull(stage, treasury.accessToken, { from: sourceId, to: accountId, amount: 5000 })
  const europe = await addCustomer(stage, "Emmy Noether", "EUR")
  await fund(stage, europe.accountId, 50_000)
  return { ...waiting, supplierId, paymentId, treasury, europe }
}

/** A wallet with money whose person has just signed in: for 15 minutes the session's key signs. */
const fundedWalletWithSession = async (stage: ScenarioContext) => {
  const { customerId } = await addCustomer(stage, "Ada Lovelace")
  const { credentialId, walletId } = await walletOf(stage, customerId)
  await fund(stage, walletId, 100_000)
  return { customerId, walletId, credentialId, ...(await signIn(stage, credentialId)) }
}

/** A card that pays from an account with money. */
const activeCard = async (stage: ScenarioContext) => {
  const cardholder = await addCustomer(stage, "Ada Lovelace")
  await fund(stage, cardholder.accountId, 100_000)
  return { ...cardholder, cardId: await addCard(stage, cardholder) }
}

/** The worlds by name. */
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
/** What a world answers. */
export type Handles<Name extends ScenarioName> = Awaited<ReturnType<(typeof Scenarios)[Name]>>
