/**
 * The ids of real records, in the place of the placeholders that the examples have. They are read by documented operations with the
 * reader's own credentials. Source: D-484.
 */

const id = (type, record = 1) => `${type}:00000000-0000-4000-8000-00000000000${record}`
const newest = (type) => [id(type), `/operator/records?type=${type}&limit=5`, "id"]

const customer = id("Customer")
const business = id("Customer", 2)
const regulated = id("Customer", 3)
const internal = id("InternalAccount")
const wallet = id("InternalAccount", 2)
const bitcoin = id("InternalAccount", 3)
const external = id("ExternalAccount")
const card = id("Card")

/**
 * Each row: a placeholder, the list whose first record has its value, and the field. The first row with a value wins. A path may name
 * placeholders of earlier rows, so that the records belong together: the action is of the agent, the accounts are of its customer.
 */
const sources = [
  [id("AgentAction"), "/agents/approvals?limit=1", "id"],
  [id("Agent"), "/agents/approvals?limit=1", "agentId"],
  newest("Agent"),
  newest("AgentAction"),
  [customer, "/agents/approvals?limit=1", "customerId"],
  [customer, `/agents/${id("Agent")}`, "customerId"],
  [customer, "/operator/records?type=ExternalAccount&limit=5", "customerId"],
  [customer, "/customers?customerType=INDIVIDUAL&limit=1", "id"],
  [business, "/customers?customerType=BUSINESS&limit=1", "id"],
  [external, `/customers/external-accounts?customerId=${customer}&limit=1`, "id"],
  newest("ExternalAccount"),
  [id("ExternalAccount", 3), "/platform/external-accounts?limit=1", "id"],
  [internal, `/customers/internal-accounts?customerId=${customer}&currency=USD&limit=1`, "id"],
  [wallet, `/customers/internal-accounts?customerId=${customer}&type=EMBEDDED_WALLET&limit=1`, "id"],
  [bitcoin, "/customers/internal-accounts?currency=BTC&limit=1", "id"],
  ["$ada@platform.example", "/customers?limit=5", "umaAddress"],
  newest("Quote"),
  newest("Transaction"),
  newest("Card"),
  [id("CardTransaction"), `/operator/records?type=CardTransaction&relatedTo=${card}&limit=5`, "id"],
  newest("AuthMethod"),
  newest("Session"),
  newest("DelegatedKey"),
  newest("Verification"),
  newest("BeneficialOwner"),
  newest("Document"),
  newest("StablecoinProviderAccount"),
  newest("Stablecoin"),
  newest("StablecoinOperation"),
  [id("Token"), "/tokens?limit=5", "id"],
  [id("Secret"), "/tokens?limit=5", "secrets.0.id"],
  [id("PlatformConfig"), "/config", "id"],
  [id("Webhook"), "/operator/events?limit=1", "id"],
  ["webhook-key", "/webhooks/keys", "id"],
  ["parked-job", "/jobs/parked?limit=1", "id"],
  ["message-of-the-inbox", "/sandbox/inbox/messages?limit=1", "id"],
  ["request-of-the-list", "/sandbox/requests?limit=1", "id"],
  ["saved-world", "/sandbox/worlds", "name"],
]

/** The operation whose answer has the value, for what no list gives, or no list has yet. */
const makers = {
  [id("AgentAction")]: "agentCreateTransferIn",
  [id("Agent")]: "createAgent",
  [customer]: "createCustomer",
  [business]: "createCustomer with customerType BUSINESS",
  [regulated]: "createCustomer with a region of the option --sca-regions",
  [external]: "createCustomerExternalAccount",
  [id("ExternalAccount", 2)]: "createCustomerExternalAccount with accountType SPARK_WALLET",
  [id("ExternalAccount", 3)]: "createPlatformExternalAccount",
  [internal]: "createCustomer",
  [wallet]: "createCustomer",
  [bitcoin]: "createCustomer with currencies BTC",
  "$ada@platform.example": "createCustomer with an umaAddress",
  [id("Quote")]: "createQuote",
  [id("Transaction")]: "createTransferIn",
  [card]: "createCard",
  [id("Card", 2)]: "createCard with the wallet among fundingSources",
  [id("CardTransaction")]: "sandboxSimulateCardAuthorization",
  [id("AuthMethod")]: "createAuthCredential",
  [id("Session")]: "verifyAuthCredential",
  [id("DelegatedKey")]: "createDelegatedKey",
  [id("Verification")]: "createVerification",
  [id("BeneficialOwner")]: "createBeneficialOwner",
  [id("Document")]: "uploadDocument",
  [id("StablecoinProviderAccount")]: "linkStablecoinProviderAccount",
  [id("Stablecoin")]: "registerStablecoin",
  [id("StablecoinOperation")]: "createStablecoinMint",
  [id("Token")]: "createToken",
  [id("Secret")]: "createTokenSecret",
  [id("PlatformConfig")]: "getPlatformConfig",
  [id("Webhook")]: "listEvents",
  [id("Job")]: "uploadCustomersCsv",
  [id("ScaReset")]: "startTwoFactorReset",
  [id("ScaChallenge")]: "startScaLogin",
  "the-device-code": "createAgent",
  "invitation-code": "createInvitation",
  "factor-of-the-customer": "listScaFactors",
  "webhook-key": "listWebhookKeys",
  "parked-job": "listParkedJobs",
  "message-of-the-inbox": "sandboxListInboxMessages",
  "request-of-the-list": "sandboxListRequests",
  "saved-world": "sandboxSaveWorld",
  ["5f".repeat(32)]: "sandboxGetWorldFile",
}

export const placeholders = Object.keys(makers)

/** The sample of an address as the samples have it, which the page replaces by its own. */
const sampleHost = "http://127.0.0.1:8787"

const fieldOf = (record, field) => field.split(".").reduce((value, key) => value?.[key], record)

const replaced = (text, ids) => {
  let result = text
  for (const [placeholder, id] of ids) result = result.replaceAll(placeholder, id)
  return result
}

/**
 * Returns the value of each placeholder that has one. `read` answers the body of a GET, or undefined when it was refused. A live server gets
 * none: nobody should delete a customer's record because an example named it. `clientId` is the reader's own, whose token is not offered.
 */
export const readIds = async (read, clientId) => {
  const ids = new Map()
  if ((await read("/sandbox/clock")) === undefined) return ids
  const bodies = new Map()
  const bodyOf = (path) => {
    if (!bodies.has(path)) bodies.set(path, read(path))
    return bodies.get(path)
  }
  for (const [placeholder, template, field] of sources) {
    const path = replaced(template, ids)
    if (ids.has(placeholder) || placeholders.some((unknown) => path.includes(unknown))) continue
    const body = await bodyOf(path)
    const records = Array.isArray(body?.data) ? body.data : [body]
    const record = records.find((each) => each?.isDeleted !== true && each?.clientId !== (clientId ?? null))
    const value = fieldOf(record, field)
    if (typeof value === "string") ids.set(placeholder, value)
  }
  return ids
}

/** A text with the ids in the place of their placeholders. */
export const withIds = replaced

/** The sample with the ids and the address of this server. */
export const filled = (source, ids, origin) => replaced(source, ids).replaceAll(sampleHost, origin)

/** What of a sample stands for a record that the reader has to name: each placeholder with the operation that answers one. */
export const unfilled = (source) =>
  placeholders.flatMap((placeholder) =>
    source.includes(placeholder) ? [{ placeholder, maker: makers[placeholder] }] : [],
  )
