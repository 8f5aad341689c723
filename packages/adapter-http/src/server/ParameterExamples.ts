/**
 * Examples of the parameters in paths. Each is the placeholder that the examples of bodies have too, so that the page can put the id of a
 * real record in the place of both.
 * Source: D-484.
 */
import { at, isObject, type Json, type JsonObject, list, text } from "./Json.ts"
import { placeholders } from "./Placeholders.ts"

const { idOf } = placeholders

/** By what the description of the parameter names: "The id of the agent." */
const named: Readonly<Record<string, string>> = {
  action: idOf("AgentAction"),
  agent: idOf("Agent"),
  "beneficial owner": idOf("BeneficialOwner"),
  card: idOf("Card"),
  credential: idOf("AuthMethod"),
  customer: idOf("Customer"),
  "delegated key": idOf("DelegatedKey"),
  document: idOf("Document"),
  "embedded wallet": placeholders.wallet,
  event: idOf("Webhook"),
  "external account": idOf("ExternalAccount"),
  factor: "factor-of-the-customer",
  "import job": idOf("Job"),
  "internal account": idOf("InternalAccount"),
  "ledger account, such as `available:` and the id of an internal account": `available:${idOf("InternalAccount")}`,
  message: "message-of-the-inbox",
  operation: idOf("StablecoinOperation"),
  "parked job": "parked-job",
  "provider account": idOf("StablecoinProviderAccount"),
  quote: idOf("Quote"),
  "record, of any type": idOf("Customer"),
  request: "request-of-the-list",
  reset: idOf("ScaReset"),
  "saved world, which is its name": "saved-world",
  secret: idOf("Secret"),
  session: idOf("Session"),
  stablecoin: idOf("Stablecoin"),
  token: idOf("Token"),
  transaction: idOf("Transaction"),
  "transaction, or of what else moved the money": idOf("Transaction"),
  verification: idOf("Verification"),
  "webhook key": "webhook-key",
}

const byName: Readonly<Record<string, string>> = {
  code: "the-device-code",
  invitationCode: "invitation-code",
  scenario: "agent-waiting-for-approval",
  receiverUmaAddress: "$success.usd@uma.sandbox.example",
  text: "Ada",
}

/** Parameters of single operations, by their names, also where the interface does not require one. */
const ofOperation: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listDelegatedKeys: { accountId: placeholders.wallet },
  listAuthCredentials: { accountId: placeholders.wallet },
  listAuthSessions: { accountId: placeholders.wallet },
  listBeneficialOwners: { customerId: placeholders.business },
}

/** The customers of these operations have confirmed contacts and factors, which only some regions ask for. */
const isRegulated = (id: string): boolean => /Sca|SecurityEvent|TwoFactor|(?:Email|Phone)Verification$/u.test(id)

const exampleOf = (id: string, parameter: Json): string | undefined => {
  const name = text(at(parameter, "name"))
  const own = ofOperation[id]?.[name]
  if (own !== undefined) return own
  if (at(parameter, "required") !== true) return undefined
  if (name === "externalAccountId" && /PlatformExternalAccount/u.test(id)) return placeholders.platforms
  if (name === "customerId" && isRegulated(id)) return placeholders.regulated
  const description = text(at(parameter, "schema", "description")) || text(at(parameter, "description"))
  const what = /^The id of the (.+)\.$/su.exec(description)?.[1]
  return (what === undefined ? undefined : named[what]) ?? byName[name]
}

/** Adds an example to each parameter that an address needs; `ofSchema` is that of a parameter without a name in these tables. */
export const withParameterExamples = (
  operation: JsonObject,
  ofSchema: (schema: Json | undefined, name: string) => Json,
): JsonObject => ({
  ...operation,
  parameters: list(operation["parameters"]).map((parameter) => {
    if (!isObject(parameter)) return parameter
    const own = exampleOf(text(operation["operationId"]), parameter)
    const value =
      own ?? (parameter["required"] === true ? ofSchema(parameter["schema"], text(parameter["name"])) : undefined)
    return value === undefined ? parameter : { ...parameter, example: value }
  }),
})
