/**
 * For each event the calls that make the real thing happen which emits it. A test runs all of them.
 * Source: D-461; docs/events.md.
 */
import type { EventType } from "@countersign/core/models"
import { type Trigger, TriggerUnavailable } from "./TriggerContext.ts"
import {
  addBankAccount,
  clearedPurchase,
  deposit,
  executedQuote,
  importCustomers,
  newBusiness,
  newCard,
  newFundedHolder,
  newHolder,
  newPerson,
  payOut,
  pull,
  purchase,
  quote,
  verify,
} from "./TriggerSteps.ts"

const held: Trigger = async (context) => {
  const { client, clientOf } = context
  const holder = await newHolder(context)
  const externalAccountId = await addBankAccount(context, holder.customerId)
  const { agent, deviceCode } = await client.agents.createAgent({
    payload: {
      customerId: holder.customerId,
      name: "Payroll",
      policy: {
        permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS"],
        defaultExecutionMode: "APPROVAL_REQUIRED",
        spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 100_000, monthlyLimit: 1_000_000 },
      },
    },
  })
  const { accessToken } = await client.agents.redeemAgentDeviceCode({ params: { code: deviceCode.code } })
  const { id: actionId } = await clientOf(accessToken).agentsMe.agentCreateTransferIn({
    payload: { source: { accountId: externalAccountId }, destination: { accountId: holder.accountId }, amount: 20_000 },
  })
  return { ...holder, agentId: agent.id, actionId }
}

const depositWith =
  (suffix?: string): Trigger =>
  async (context) => {
    const holder = await newHolder(context)
    await deposit(context, holder.accountId, suffix)
    return holder
  }

const challenged: Trigger = async (context) => {
  const { client } = context
  const { id: customerId } = await client.customers.createCustomer({
    payload: { customerType: "INDIVIDUAL", fullName: "Ada Lovelace", region: "EU", phoneNumber: "+14155550123" },
  })
  const { data } = await client.accounts.listInternalAccounts({ query: { customerId, currency: "USD" } })
  const accountId = data[0]?.id ?? ""
  await deposit(context, accountId)
  const { id: quoteId, transactionId } = await quote(context, { customerId, accountId })
  const { status } = await client.quotes.executeQuote({ params: { quoteId } })
  if (status === "PENDING_AUTHORIZATION") return { customerId, quoteId, transactionId }
  throw new TriggerUnavailable("no region needs strong authentication: start the server with --sca-regions EU")
}

const expired: Trigger = async (context) => {
  const holder = await newFundedHolder(context)
  const { createdAt, expiresAt, id: quoteId, transactionId } = await quote(context, holder)
  await context.advance(Math.ceil((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000) + 1)
  return { ...holder, quoteId, transactionId }
}

const deletedCustomer: Trigger = async (context) => {
  const holder = await newHolder(context)
  await context.client.customers.deleteCustomerById({ params: { customerId: holder.customerId } })
  return holder
}

const claimed: Trigger = async (context) => {
  const { client } = context
  const customerId = await newPerson(context)
  const { umaAddress = "" } = await client.customers.getCustomerById({ params: { customerId } })
  const { code } = await client.invitations.createInvitation({
    payload: { inviterUma: umaAddress, firstName: "Grace001" },
  })
  // The sandbox claims it after five seconds.
  await context.advance(6)
  return { customerId, invitationCode: code }
}

const person =
  (fullName: string): Trigger =>
  async (context) => ({ customerId: await newPerson(context, fullName) })

const verified =
  (customer: (context: Parameters<Trigger>[0]) => Promise<string>): Trigger =>
  async (context) => {
    const customerId = await customer(context)
    return { customerId, verificationId: await verify(context, customerId) }
  }
const business = (suffix: string) => verified((context) => newBusiness(context, suffix))

/** Each type of event with what emits it. */
export const triggers: { readonly [Type in EventType]: Trigger } = {
  "AGENT_ACTION.PENDING_APPROVAL": held,
  "EXTERNAL_ACCOUNT.STATUS_UPDATED": async (context) => {
    const { customerId } = await newHolder(context)
    const externalAccountId = await addBankAccount(context, customerId)
    const params = { externalAccountId }
    await context.client.sandbox.sandboxSetExternalAccountStatus({ params, payload: { status: "UNDER_REVIEW" } })
    return { customerId, externalAccountId }
  },
  "INCOMING_PAYMENT.PENDING": (context) => pull(context),
  "INCOMING_PAYMENT.COMPLETED": depositWith(),
  "INCOMING_PAYMENT.FAILED": (context) => pull(context, "002"),
  "INCOMING_PAYMENT.REFUND_PENDING": depositWith("002"),
  "INCOMING_PAYMENT.REFUND_COMPLETED": depositWith("002"),
  "INCOMING_PAYMENT.REFUND_FAILED": depositWith("003"),
  "OUTGOING_PAYMENT.PENDING": async (context) => {
    const holder = await newFundedHolder(context)
    const { id: quoteId, transactionId } = await quote(context, holder)
    return { ...holder, quoteId, transactionId }
  },
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION": challenged,
  "OUTGOING_PAYMENT.PROCESSING": (context) => payOut(context),
  "OUTGOING_PAYMENT.COMPLETED": (context) => payOut(context),
  "OUTGOING_PAYMENT.FAILED": (context) => payOut(context, "002"),
  "OUTGOING_PAYMENT.EXPIRED": expired,
  "OUTGOING_PAYMENT.REFUND_PENDING": (context) => executedQuote(context, "002"),
  "OUTGOING_PAYMENT.REFUND_COMPLETED": (context) => executedQuote(context, "002"),
  "OUTGOING_PAYMENT.REFUND_FAILED": (context) => executedQuote(context, "007"),
  "INTERNAL_ACCOUNT.BALANCE_UPDATED": depositWith(),
  "INTERNAL_ACCOUNT.STATUS_UPDATED": deletedCustomer,
  "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED": deletedCustomer,
  "INVITATION.CLAIMED": claimed,
  "CARD.STATE_CHANGE": async (context) => {
    const { cardId, customerId } = await newCard(context)
    return { customerId, cardId }
  },
  "CARD.FUNDING_SOURCE_CHANGE": async (context) => {
    const { accountIds, cardId, customerId } = await newCard(context, 2)
    await context.client.cards.updateCardById({ params: { id: cardId }, payload: { fundingSources: accountIds } })
    return { customerId, cardId }
  },
  "CARD_TRANSACTION.AUTHORIZED": (context) => purchase(context),
  "CARD_TRANSACTION.PARTIALLY_SETTLED": (context) => clearedPurchase(context, 1000),
  "CARD_TRANSACTION.SETTLED": (context) => clearedPurchase(context, 2500),
  "CARD_TRANSACTION.REFUNDED": async (context) => {
    const made = await clearedPurchase(context, 2500)
    const { cardId, cardTransactionId } = made
    await context.client.sandboxCards.sandboxSimulateCardReturn({
      params: { id: cardId },
      payload: { cardTransactionId, amount: 2500 },
    })
    return made
  },
  "CARD_TRANSACTION.EXCEPTION": (context) => clearedPurchase(context, 2500, "006"),
  "CUSTOMER.KYC_PENDING": person("Ada 001"),
  "CUSTOMER.KYC_APPROVED": person("Ada Lovelace"),
  "CUSTOMER.KYC_REJECTED": person("Ada 002"),
  "CUSTOMER.KYB_PENDING": business("001"),
  "CUSTOMER.KYB_APPROVED": business("523"),
  "CUSTOMER.KYB_REJECTED": business("002"),
  "VERIFICATION.RESOLVE_ERRORS": verified((context) => newPerson(context, "Ada 003")),
  "VERIFICATION.IN_PROGRESS": business("523"),
  "VERIFICATION.PENDING_MANUAL_REVIEW": business("001"),
  "VERIFICATION.APPROVED": business("523"),
  "VERIFICATION.REJECTED": business("002"),
  "BULK_UPLOAD.COMPLETED": (context) => importCustomers(context, "customers.csv"),
  "BULK_UPLOAD.FAILED": (context) => importCustomers(context, "customers-002.csv"),
  "WEBHOOK_ENDPOINT.VERIFICATION": async ({ client }) => {
    const { state: before } = await client.webhooks.getWebhookEndpoint()
    if (before !== "ACTIVE" && before !== "PENDING") throw new TriggerUnavailable("no webhook endpoint is active")
    // Only an endpoint that is enabled is asked.
    await client.webhooks.disableWebhookEndpoint()
    const { state, url = "" } = await client.webhooks.enableWebhookEndpoint()
    if (state === "PENDING") return { endpoint: url }
    throw new TriggerUnavailable("a sandbox asks no endpoint for a proof: live mode does, when an endpoint is enabled")
  },
  TEST: async ({ client }) => {
    const { url } = await client.sandbox.sendTestWebhook()
    return { endpoint: url }
  },
}
