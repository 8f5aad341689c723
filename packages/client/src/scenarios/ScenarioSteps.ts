/**
 * The steps of scenarios, each over the interface alone.
 * Source: D-234.
 */
import type { AgentPolicy } from "@countersign/core/models"
import { SandboxOtp } from "@countersign/core/sandbox"
import { walletCrypto } from "../signed/WalletCrypto.ts"
import type { ScenarioContext } from "./ScenarioContext.ts"

/** What a step of one request needs. */
type Platform = Pick<ScenarioContext, "client">

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" } as const

/** Creates an individual, and returns it with its account in a currency. */
export const addCustomer = async ({ client }: Platform, fullName: string, currency: "USD" | "EUR" = "USD") => {
  const { id: customerId } = await client.customers.createCustomer({
    payload: {
      customerType: "INDIVIDUAL",
      fullName,
      email: `${fullName.toLowerCase().replaceAll(" ", ".")}@example.com`,
    },
  })
  const { data } = await client.accounts.listInternalAccounts({ query: { customerId, currency } })
  const accountId = data[0]?.id
  if (accountId === undefined) throw new Error(`the platform has no ${currency}`)
  return { customerId, accountId }
}

/** Funds an account, in the smallest unit of its currency. */
export const fund = async (
  { client }: Platform,
  accountId: string,
  amount: number,
  /** The identifier of the sender's account, whose suffix chooses what becomes of the deposit. */
  accountIdentifier?: string,
): Promise<void> => {
  const source = accountIdentifier === undefined ? {} : { source: { accountIdentifier } }
  await client.sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount, ...source } })
}

/** Adds a bank account in the United States, the customer's own or a payee's. */
export const addBankAccount = async (
  { client }: Platform,
  customerId: string,
  { accountNumber, fullName }: { readonly accountNumber: string; readonly fullName: string },
): Promise<string> => {
  const { id } = await client.externalAccounts.createCustomerExternalAccount({
    payload: {
      customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName, address },
      },
    },
  })
  return id
}

/** Creates an agent, redeems its device code, and returns its access token. */
export const addAgent = async ({ client }: Platform, customerId: string, name: string, policy: AgentPolicy) => {
  const { agent, deviceCode } = await client.agents.createAgent({ payload: { customerId, name, policy } })
  const { accessToken } = await client.agents.redeemAgentDeviceCode({ params: { code: deviceCode.code } })
  return { agentId: agent.id, accessToken }
}

/** Requests a transfer in as the agent. The policy decides whether it needs approval. */
export const requestPull = async (
  context: ScenarioContext,
  accessToken: string,
  transfer: { readonly from: string; readonly to: string; readonly amount: number },
): Promise<string> => {
  const { id } = await context.clientOf({ token: accessToken }).agentsMe.agentCreateTransferIn({
    payload: { source: { accountId: transfer.from }, destination: { accountId: transfer.to }, amount: transfer.amount },
  })
  return id
}

/** Adds a person whose check ends as the end of the name says. */
export const addPerson = async ({ client }: Platform, fullName: string): Promise<string> =>
  (await client.customers.createCustomer({ payload: { customerType: "INDIVIDUAL", fullName } })).id

/** Adds a business whose verification ends as the suffix of its number says. */
export const addBusiness = async ({ client }: Platform, suffix: string, legalName: string): Promise<string> => {
  const businessInfo = {
    legalName,
    country: "US",
    taxId: "12-3456789",
    registrationNumber: `REG-5${suffix}`,
    incorporatedOn: "2014-03-01",
  }
  return (await client.customers.createCustomer({ payload: { customerType: "BUSINESS", businessInfo } })).id
}

/** Starts the verification of a customer, and returns its id. */
export const verify = async ({ client }: Platform, customerId: string): Promise<string> =>
  (await client.onboarding.createVerification({ payload: { customerId } })).id

/** Requests a transfer in as the platform. */
export const pull = async (
  { client }: Platform,
  { amount, from, to }: { readonly from: string; readonly to: string; readonly amount: number },
): Promise<string> => {
  const payload = { source: { accountId: from }, destination: { accountId: to }, amount }
  return (await client.transfers.createTransferIn({ payload })).id
}

/** Creates a quote to a new account in Mexico, whose suffix chooses what becomes of its payout. */
export const quoteToMexico = async (
  { client }: Platform,
  {
    accountId,
    amount,
    customerId,
  }: { readonly customerId: string; readonly accountId: string; readonly amount: number },
  suffix: string,
) => {
  const { id: externalAccountId } = await client.externalAccounts.createCustomerExternalAccount({
    payload: {
      customerId,
      currency: "MXN",
      accountInfo: {
        accountType: "MXN_ACCOUNT",
        clabeNumber: `032180000118359${suffix}`,
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Frida Kahlo" },
      },
    },
  })
  return client.quotes.createQuote({
    payload: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: externalAccountId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: amount,
    },
  })
}

const ends: ReadonlyArray<string> = ["COMPLETED", "FAILED", "REJECTED", "EXPIRED", "REFUNDED", "EXCEPTION"]

/** Waits until a transaction has a status; fails as soon as it has ended in another one. */
export const untilStatus = async (
  { client, until }: ScenarioContext,
  transactionId: string,
  expected: string,
): Promise<void> => {
  const read = () => client.transactions.getTransactionById({ params: { transactionId } })
  const { status } = await until(read, (found) => found.status === expected || ends.includes(found.status))
  if (status !== expected) throw new Error(`the transaction is ${status} instead of ${expected}.`)
}

/** Authorizes a purchase, and returns the card transaction; the suffix of the merchant chooses what becomes of it. */
export const purchase = async (
  { client }: Platform,
  {
    amount,
    cardId,
    customerId,
    merchant,
  }: {
    readonly cardId: string
    readonly customerId: string
    readonly amount: number
    readonly merchant: string
  },
): Promise<string> => {
  const authorization = await client.sandboxCards.sandboxSimulateCardAuthorization({
    params: { id: cardId },
    payload: { amount, currency: "USD", merchant: { descriptor: merchant } },
  })
  const token = authorization.issuerTransactionToken
  const { data } = await client.transactions.listTransactions({ query: { type: "CARD", customerId } })
  const made = data.find((each) => "issuerTransactionToken" in each && each.issuerTransactionToken === token)
  if (made === undefined) throw new Error("the purchase left no card transaction")
  return made.id
}

/** A message of the card's network about a purchase. */
export interface CardMessage {
  readonly cardId: string
  readonly cardTransactionId: string
  readonly amount: number
}

/** Clears a card transaction over this amount, as the card network does. */
export const clear = async (
  { client }: Platform,
  { amount, cardId, cardTransactionId }: CardMessage,
): Promise<void> => {
  const payload = { cardTransactionId, amount }
  await client.sandboxCards.sandboxSimulateCardClearing({ params: { id: cardId }, payload })
}

/** Returns this amount of a card transaction, as the merchant does. */
export const giveBack = async (
  { client }: Platform,
  { amount, cardId, cardTransactionId }: CardMessage,
): Promise<void> => {
  const payload = { cardTransactionId, amount }
  await client.sandboxCards.sandboxSimulateCardReturn({ params: { id: cardId }, payload })
}

/** Pays out, and waits until the payment has the expected status. */
export const payOut = async (
  context: ScenarioContext,
  transfer: {
    readonly from: string
    readonly to: string
    readonly amount: number
    readonly remittanceInformation: string
  },
  expected = "COMPLETED",
): Promise<string> => {
  const { id: transactionId } = await context.client.transfers.createTransferOut({
    payload: {
      source: { accountId: transfer.from },
      destination: { accountId: transfer.to },
      amount: transfer.amount,
      remittanceInformation: transfer.remittanceInformation,
    },
  })
  await untilStatus(context, transactionId, expected)
  return transactionId
}

/** Returns the embedded wallet of a customer and its first credential. */
export const walletOf = async ({ client }: ScenarioContext, customerId: string) => {
  const { data } = await client.accounts.listInternalAccounts({ query: { customerId, type: "EMBEDDED_WALLET" } })
  const walletId = data[0]?.id
  if (walletId === undefined) throw new Error("the customer has no embedded wallet")
  const credentials = await client.wallet.listAuthCredentials({ query: { accountId: walletId } })
  const credentialId = credentials.data[0]?.id
  if (credentialId === undefined) throw new Error("the wallet has no credential")
  return { walletId, credentialId }
}

/** Signs in with the sandbox's code, and returns the session and its private key as hex. */
export const signIn = async ({ client, wallet = walletCrypto() }: ScenarioContext, credentialId: string) => {
  const params = { id: credentialId }
  const challenge = await client.wallet.challengeAuthCredential({ params, payload: {} })
  if (!("otpEncryptionTargetBundle" in challenge) || challenge.otpEncryptionTargetBundle === undefined) {
    throw new Error("the credential has no code")
  }
  const keys = await wallet.makeKeys()
  const encryptedOtpBundle = await wallet.sealOtp(challenge.otpEncryptionTargetBundle, SandboxOtp.sandboxOtp, keys)
  const payload = { type: "EMAIL_OTP", encryptedOtpBundle } as const
  const challenged = await client.wallet.verifyAuthCredential({ params, payload })
  if (!("payloadToSign" in challenged)) throw new Error("the verification did not ask for a signature")
  const headers = {
    "service-wallet-signature": await wallet.stamp(keys, challenged.payloadToSign),
    "request-id": challenged.requestId,
  }
  const session = await client.wallet.verifyAuthCredential({ params, payload, headers })
  if (!("id" in session)) throw new Error("the verification asked for a second signature")
  return { sessionId: session.id, privateKey: wallet.exportKeys(keys) }
}

/**
 * A name for the platform's next card, without a magic suffix. It is unique as long as the platform names no cards like this; without one, the
 * suffix of the random cardholder id would count.
 */
export const nextCardName = async ({ client }: Platform): Promise<string> => {
  const { data, totalCount = data.length } = await client.cards.listCards({ query: { limit: 1 } })
  return `card-${totalCount + 1}-000`
}

/** Issues a card on one account, and waits until it is active. */
export const addCard = async (
  context: ScenarioContext,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<string> => {
  const { client, until } = context
  const platformCardId = await nextCardName(context)
  const { id: cardId } = await client.cards.createCard({
    payload: { cardholderId: customerId, platformCardId, form: "VIRTUAL", fundingSources: [accountId] },
  })
  await until(
    () => client.cards.getCardById({ params: { id: cardId } }),
    ({ state }) => state === "ACTIVE",
  )
  return cardId
}
