/** The parts that worlds are made of, each over the interface alone. */
import type { AgentPolicy } from "@countersign/core/models"
import { SandboxOtp } from "@countersign/core/sandbox"
import { walletCrypto } from "../signed/WalletCrypto.ts"
import type { ScenarioContext } from "./ScenarioContext.ts"

const address = { line1: "1 Main St", city: "Springfield", postalCode: "12345", country: "US" } as const

/** An individual and its account in a currency. */
export const addCustomer = async ({ client }: ScenarioContext, fullName: string, currency: "USD" | "EUR" = "USD") => {
  const { id: customerId } = await client.customers.createCustomer({
    payload: {
      customerType: "INDIVIDUAL",
      fullName,
      email: `${fullName.toLowerCase().replaceAll(" ", ".")}@example.com`,
    },
  })
  const { data } = await client.accounts.listAccounts({ query: { customerId, currency } })
  const accountId = data[0]?.id
  if (accountId === undefined) throw new Error(`the platform has no ${currency}`)
  return { customerId, accountId }
}

/** Puts money into an account, in the smallest unit of its currency. */
export const fund = async ({ client }: ScenarioContext, accountId: string, amount: number): Promise<void> => {
  await client.sandbox.fundInternalAccount({ params: { accountId }, payload: { amount } })
}

/** A bank account in the United States that is the customer's own, or somebody's whom it pays. */
export const addBankAccount = async (
  { client }: ScenarioContext,
  customerId: string,
  { accountNumber, fullName }: { readonly accountNumber: string; readonly fullName: string },
): Promise<string> => {
  const { id } = await client.externalAccounts.createOfCustomer({
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

/** An agent that has redeemed its code, and its token. */
export const addAgent = async ({ client }: ScenarioContext, customerId: string, name: string, policy: AgentPolicy) => {
  const { agent, deviceCode } = await client.agents.create({ payload: { customerId, name, policy } })
  const { accessToken } = await client.agents.redeemDeviceCode({ params: { code: deviceCode.code } })
  return { agentId: agent.id, accessToken }
}

/** Asks for a pull as the agent does; the policy decides what becomes of it. */
export const askForPull = async (
  stage: ScenarioContext,
  accessToken: string,
  move: { readonly from: string; readonly to: string; readonly amount: number },
): Promise<string> => {
  const { id } = await stage.clientOf({ token: accessToken }).agentsMe.transferIn({
    payload: { source: { accountId: move.from }, destination: { accountId: move.to }, amount: move.amount },
  })
  return id
}

/** Pays out, and waits until it has arrived. */
export const payOut = async (
  { client, until }: ScenarioContext,
  move: { readonly from: string; readonly to: string; readonly amount: number; readonly remittanceInformation: string },
): Promise<string> => {
  const { id: transactionId } = await client.transfers.transferOut({
    payload: {
      source: { accountId: move.from },
      destination: { accountId: move.to },
      amount: move.amount,
      remittanceInformation: move.remittanceInformation,
    },
  })
  const read = () => client.transactions.getTransaction({ params: { transactionId } })
  await until(read, ({ status }) => status === "COMPLETED")
  return transactionId
}

/** The embedded wallet of a customer, and the credential with which it starts. */
export const walletOf = async ({ client }: ScenarioContext, customerId: string) => {
  const { data } = await client.accounts.listAccounts({ query: { customerId, type: "EMBEDDED_WALLET" } })
  const walletId = data[0]?.id
  if (walletId === undefined) throw new Error("the customer has no embedded wallet")
  const credentials = await client.wallet.listCredentials({ query: { accountId: walletId } })
  const credentialId = credentials.data[0]?.id
  if (credentialId === undefined) throw new Error("the wallet has no credential")
  return { walletId, credentialId }
}

/** Signs in by the code of the sandbox, as the wallet's person: the session, and its private key as hex. */
export const signIn = async ({ client, wallet = walletCrypto() }: ScenarioContext, credentialId: string) => {
  const params = { credentialId }
  const challenge = await client.wallet.challengeCredential({ params, payload: {} })
  if (!("otpEncryptionTargetBundle" in challenge) || challenge.otpEncryptionTargetBundle === undefined) {
    throw new Error("the credential has no code")
  }
  const keys = await wallet.makeKeys()
  const encryptedOtpBundle = await wallet.sealOtp(challenge.otpEncryptionTargetBundle, SandboxOtp.sandboxOtp, keys)
  const payload = { type: "EMAIL_OTP", encryptedOtpBundle } as const
  const asked = await client.wallet.verifyCredential({ params, payload })
  if (!("payloadToSign" in asked)) throw new Error("the code was not asked to be signed")
  const headers = {
    "service-wallet-signature": await wallet.stamp(keys, asked.payloadToSign),
    "request-id": asked.requestId,
  }
  const session = await client.wallet.verifyCredential({ params, payload, headers })
  if (!("id" in session)) throw new Error("the code was asked to be signed again")
  return { sessionId: session.id, privateKey: wallet.exportKeys(keys) }
}

/** A card that the issuer has made, on one account. */
export const addCard = async (
  { client, until }: ScenarioContext,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<string> => {
  const { id: cardId } = await client.cards.createCard({
    // Without magic: that of the cardholder's id, which is drawn, would count where there is no id of the platform's own.
    payload: { cardholderId: customerId, platformCardId: "card-000", form: "VIRTUAL", fundingSources: [accountId] },
  })
  await until(
    () => client.cards.getCard({ params: { cardId } }),
    ({ state }) => state === "ACTIVE",
  )
  return cardId
}
