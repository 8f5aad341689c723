/**
 * The steps of scenarios, each over the interface alone.
 * Source: D-234.
 */
import type { AgentPolicy } from "@countersign/core/models"
import { SandboxOtp } from "@countersign/core/sandbox"
import { walletCrypto } from "../signed/WalletCrypto.ts"
import type { ScenarioContext } from "./ScenarioContext.ts"

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" } as const

/** Creates an individual, and returns it with its account in a currency. */
export const addCustomer = async ({ client }: ScenarioContext, fullName: string, currency: "USD" | "EUR" = "USD") => {
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
export const fund = async ({ client }: ScenarioContext, accountId: string, amount: number): Promise<void> => {
  await client.sandbox.sandboxFundInternalAccount({ params: { accountId }, payload: { amount } })
}

/** Adds a bank account in the United States, the customer's own or a payee's. */
export const addBankAccount = async (
  { client }: ScenarioContext,
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
export const addAgent = async ({ client }: ScenarioContext, customerId: string, name: string, policy: AgentPolicy) => {
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

/** Pays out, and waits until the payment is completed. */
export const payOut = async (
  { client, until }: ScenarioContext,
  transfer: {
    readonly from: string
    readonly to: string
    readonly amount: number
    readonly remittanceInformation: string
  },
): Promise<string> => {
  const { id: transactionId } = await client.transfers.createTransferOut({
    payload: {
      source: { accountId: transfer.from },
      destination: { accountId: transfer.to },
      amount: transfer.amount,
      remittanceInformation: transfer.remittanceInformation,
    },
  })
  const read = () => client.transactions.getTransactionById({ params: { transactionId } })
  await until(read, ({ status }) => status === "COMPLETED")
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

/** Issues a card on one account, and waits until it is active. */
export const addCard = async (
  { client, until }: ScenarioContext,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<string> => {
  const { id: cardId } = await client.cards.createCard({
    // An id without a magic suffix; without an id of the platform, the suffix of the random cardholder id would count.
    payload: { cardholderId: customerId, platformCardId: "card-000", form: "VIRTUAL", fundingSources: [accountId] },
  })
  await until(
    () => client.cards.getCardById({ params: { id: cardId } }),
    ({ state }) => state === "ACTIVE",
  )
  return cardId
}
