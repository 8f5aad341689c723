/** A harness with a customer, its accounts outside, and calls of the stablecoin operations over HTTP. */
import { addCustomer, addSource } from "../../../packages/test/src/harness/AgentWorld.ts"
import { type Harness, type HarnessOptions, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at, idOf } from "../customer/CustomerRequests.ts"

export { idOf }

export const codeOf = (reply: Reply) => [reply.status, at(reply, "code"), at(reply, "details", "reason")]

let drawn = 0
/** An idempotency key that no other request has. */
export const newKey = (): string => {
  drawn += 1
  return `key-${drawn}`
}

export type Pay = Harness & { readonly customerId: string }

/** Sends a POST with an idempotency key. */
export const post = (pay: Harness, path: string, body: object, key = newKey()): Promise<Reply> =>
  pay.send("POST", path, { headers: { "idempotency-key": key }, body })

export const stablecoinWorld = async (options: HarnessOptions = {}): Promise<Pay> => {
  const pay = await harness(options)
  const { customerId } = await addCustomer(pay)
  return Object.assign(pay, { customerId })
}

export const credentials = (clientId = "provider_client_100") => ({
  provider: "BRALE",
  apiClientId: clientId,
  apiClientSecret: "provider_secret_456",
})

export const link = (pay: Harness, clientId?: string, more: object = {}, key?: string) =>
  post(pay, "/stablecoin-provider-accounts", { ...credentials(clientId), ...more }, key)

export const token = (name = "ACME", more: object = {}) => ({
  providerTokenIdentifier: name,
  networkTokenIdentifier: `btkn1${name.toLowerCase()}`,
  network: "SPARK",
  ...more,
})

export const register = (pay: Harness, name?: string, more: object = {}) => post(pay, "/stablecoins", token(name, more))

/** Links an account and registers a token of it. Returns the id of the stablecoin. */
export const stablecoin = async (pay: Harness, name?: string): Promise<string> => {
  idOf(await link(pay))
  return idOf(await register(pay, name))
}

/** A bank account whose number ends in `suffix`. */
export const bank = (pay: Pay, suffix = "100", customerId = pay.customerId) => addSource(pay, customerId, suffix)

const sparkAddress = "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25"

/** A Spark wallet whose address ends in `suffix`. */
export const wallet = async (pay: Pay, suffix = "200", customerId = pay.customerId): Promise<string> => {
  const accountInfo = { accountType: "SPARK_WALLET", address: `${sparkAddress}${suffix}` }
  const reply = await pay.send("POST", "/customers/external-accounts", {
    body: { customerId, currency: "BTC", accountInfo },
  })
  return idOf(reply)
}

const wire = { type: "WIRE" }
const sentTokens = { type: "EXTERNAL_ACCOUNT" }

export const mintBody = (accountId: string, fundingSource: object = wire, more: object = {}) => ({
  amount: "1000000",
  fundingSource,
  destination: { accountId },
  ...more,
})

export const burnBody = (externalAccountId: string, source: object = sentTokens, more: object = {}) => ({
  amount: "1000000",
  source,
  destination: { type: "EXTERNAL_ACCOUNT", externalAccountId, rail: "ACH_CREDIT" },
  ...more,
})

export const mint = (pay: Harness, stablecoinId: string, body: object, key?: string) =>
  post(pay, `/stablecoins/${stablecoinId}/mints`, body, key)

export const burn = (pay: Harness, stablecoinId: string, body: object, key?: string) =>
  post(pay, `/stablecoins/${stablecoinId}/burns`, body, key)

export const operation = (pay: Harness, id: string) => pay.send("GET", `/stablecoin-operations/${id}`)

export const statusOf = async (pay: Harness, id: string) => at(await operation(pay, id), "status")
