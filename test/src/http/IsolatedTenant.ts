/** A customer of a platform with records of every kind, for the isolation tests of all operations with all credentials. */
import { Agents, type Caller, Customers, DeviceCodes } from "@countersign/core"
import { type AgentPermission, AgentPermissions } from "@countersign/core/models"
import { addCustomer, addSource, policy } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness } from "../../../packages/test/src/harness/Harness.ts"
import { contentType, form, pdf } from "../document/Forms.ts"
import { at } from "../e2e/Client.ts"
import type { Ids } from "./ExampleRequests.ts"

export const allPermissions: ReadonlyArray<AgentPermission> = AgentPermissions.keys

/** The owner of a credential: a platform or one of its customers. */
export interface Owner {
  readonly platform: string
  readonly customer?: string
}

/** The ids of one customer's records on one platform, and the texts that only its records contain. */
export interface Tenant {
  readonly owner: Required<Owner>
  readonly platform: Caller
  readonly ids: Ids
  readonly marks: ReadonlyArray<string>
  readonly agentToken: string
}

export const agentOf = async (
  pay: Harness,
  platform: Caller,
  customerId: string,
  permissions: ReadonlyArray<AgentPermission>,
  name: string,
) => {
  const created = await pay.run(
    Agents.use((agents) => agents.create({ name, customerId, policy: policy({ permissions: [...permissions] }) })),
    platform,
  )
  const { agent, deviceCode } = created.body
  const redeemed = await pay.run(DeviceCodes.use((codes) => codes.redeem(deviceCode.code)))
  return { agentId: agent.id, code: deviceCode.code, token: redeemed.body.accessToken }
}

/** Ids of records that exist for no tenant: records that need signatures have their own tests. */
const missingIds = {
  Session: "Session:01a1fdfa-4600-7000-8000-000000000000",
  secretId: "Secret:01a1fdfa-4600-7000-8000-000000000000",
  keyId: "WebhookKey:01a1fdfa-4600-7000-8000-000000000000",
  jobId: "Job:01a1fdfa-4600-7000-8000-000000000000",
  invitationCode: "unknown",
  receiverUmaAddress: "$nobody@nowhere.example",
  DelegatedKey: "DelegatedKey:01a1fdfa-4600-7000-8000-000000000000",
}

/** Creates a customer with records of every kind, over HTTP where the response has an id. */
export const settle = async (pay: Harness, platform: Caller, authorization: string, mark: string): Promise<Tenant> => {
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await pay.send(method, path, {
      as: "nobody",
      headers: { authorization, "idempotency-key": `${mark} ${path}` },
      ...(body === undefined ? {} : { body }),
    })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const within: Harness = { ...pay, run: (effect, caller = platform) => pay.run(effect, caller) }
  const { accountId, customerId } = await addCustomer(within)
  await pay.run(
    Customers.use((customers) =>
      customers.update(customerId, { customerType: "INDIVIDUAL", fullName: `Person ${mark}` }),
    ),
    platform,
  )
  const source = await addSource(within, customerId, "000")
  await ask("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 5000 })
  const agent = await agentOf(pay, platform, customerId, allPermissions, `Agent ${mark}`)
  await ask("PATCH", `/agents/${agent.agentId}/policy`, { approvalThresholds: { currency: "USD", amount: 100 } })
  const submit = (amount: number) =>
    pay.send("POST", "/agents/me/transfer-in", {
      as: { token: agent.token },
      body: { source: { accountId: source }, destination: { accountId }, amount },
    })
  const executed = await submit(1)
  const action = await submit(101)
  const info = { legalName: `Works ${mark}`, country: "US", taxId: "987654321", incorporatedOn: "2014-03-01" }
  const business = String(at(await ask("POST", "/customers", { customerType: "BUSINESS", businessInfo: info }), "id"))
  const person = {
    firstName: "Owner",
    lastName: mark,
    birthDate: "1985-12-10",
    nationality: "GB",
    address: { line1: "1 Main St", postalCode: "12345", country: "US" },
    idType: "SSN",
    identifier: "123456789",
  }
  const owner = { customerId: business, roles: ["UBO"], ownershipPercentage: 100, personalInfo: person }
  const beneficialOwnerId = String(at(await ask("POST", "/beneficial-owners", owner), "id"))
  const verificationId = String(at(await ask("POST", "/verifications", { customerId: business }), "id"))
  const uploaded = await pay.send("POST", "/documents", {
    as: "nobody",
    headers: { authorization, "content-type": contentType },
    body: form([
      { name: "file", fileName: `${mark}.pdf`, body: pdf() },
      { name: "documentHolder", body: beneficialOwnerId },
      { name: "documentType", body: "OTHER" },
      { name: "country", body: "US" },
    ]).toString(),
  })
  const documentId = String(at(uploaded.body, "id"))
  const tokenId = String(at(await ask("POST", "/tokens", { name: `Token ${mark}`, permissions: ["VIEW"] }), "id"))
  const eventId = String(at(await ask("GET", "/operator/events?limit=1"), "data", 0, "id"))
  const requestId = String(at(await ask("GET", "/sandbox/requests?limit=1"), "data", 0, "id"))
  const inbox = String(at(await ask("GET", "/sandbox/inbox"), "url"))
  await pay.fetch(inbox, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })
  const messageId = String(at(await ask("GET", "/sandbox/inbox/messages?limit=1"), "data", 0, "id"))
  const keyId = String(at(await ask("GET", "/webhooks/keys"), "data", 0, "id"))
  const createdQuote = await pay.send("POST", "/agents/me/quotes", {
    as: { token: agent.token },
    body: {
      source: { sourceType: "ACCOUNT", accountId },
      destination: { destinationType: "ACCOUNT", accountId: source },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100,
    },
  })
  const quote = String(at(createdQuote.body, "id"))
  const card = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const cardId = String(at(await ask("POST", "/cards", card), "id"))
  const contact = { customerType: "INDIVIDUAL", fullName: `Holder ${mark}`, email: "holder@example.com" }
  const holder = String(at(await ask("POST", "/customers", contact), "id"))
  const wallets = await ask("GET", `/customers/internal-accounts?customerId=${holder}&type=EMBEDDED_WALLET`)
  const walletId = String(at(wallets, "data", 0, "id"))
  const credentials = await ask("GET", `/auth/credentials?accountId=${walletId}`)
  const credential = { provider: "BRALE", apiClientId: `client ${mark} 100`, apiClientSecret: "secret" }
  const stablecoinProviderAccountId = String(at(await ask("POST", "/stablecoin-provider-accounts", credential), "id"))
  const token = {
    providerTokenIdentifier: `TOKEN ${mark}`,
    networkTokenIdentifier: `btkn ${mark}`,
    network: "SPARK",
    stablecoinProviderAccountId,
  }
  const stablecoinId = String(at(await ask("POST", "/stablecoins", token), "id"))
  const payout = { type: "EXTERNAL_ACCOUNT", externalAccountId: source, rail: "WIRE" }
  const burn = { amount: "10000", source: { type: "EXTERNAL_ACCOUNT" }, destination: payout }
  const stablecoinOperationId = String(at(await ask("POST", `/stablecoins/${stablecoinId}/burns`, burn), "id"))
  const ids = {
    requestId,
    messageId,
    eventId,
    recordId: customerId,
    stablecoinProviderAccountId,
    stablecoinId,
    stablecoinOperationId,
    quoteId: quote,
    credentialId: String(at(credentials, "data", 0, "id")),
    customerId,
    accountId,
    agentId: agent.agentId,
    actionId: String(at(action.body, "id")),
    transactionId: String(at(executed.body, "transaction", "id")),
    externalAccountId: source,
    beneficialOwnerId,
    verificationId,
    documentId,
    tokenId,
    keyId,
    code: agent.code,
    ledgerAccount: `available:${accountId}`,
    reference: String(at(executed.body, "transaction", "id")),
  }
  const types = {
    Customer: customerId,
    InternalAccount: accountId,
    ExternalAccount: source,
    Agent: agent.agentId,
    AgentAction: ids.actionId,
    Transaction: ids.transactionId,
    Card: cardId,
    AuthMethod: ids.credentialId,
    StablecoinProviderAccount: stablecoinProviderAccountId,
    Stablecoin: stablecoinId,
  }
  return {
    owner: { platform: platform.platformId, customer: customerId },
    platform,
    ids: { ...ids, ...types, ...missingIds },
    marks: [mark, ...Object.values(ids), cardId, business],
    agentToken: agent.token,
  }
}
