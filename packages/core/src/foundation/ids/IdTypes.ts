/**
 * The table of identifier types: `<Type>:<uuid>`.
 * Spec: General conventions (4); wire contract 0.2 for the further types.
 */
import { Matching } from "../kit/Lengths.ts"
import * as Table from "../kit/Table.ts"

export const IdTypes = Table.make("IdTypes", {
  AgentAction: "An action submitted by an agent",
  Agent: "An agent of one customer",
  Customer: "A customer of a platform",
  Quote: "A quote",
  Transaction: "An incoming or outgoing transaction",
  InternalAccount: "An account held at the service",
  ExternalAccount: "A bank account, mobile-money account or wallet outside the service",
  Card: "A card",
  Session: "A signed-in session of an embedded wallet",
  AuthMethod: "A credential of an embedded wallet",
  Request: "A pending signed request",
  Webhook: "An event delivered to the platform",
  Token: "An API token of a platform",
  Secret: "A secret of an API token or of an agent",
  PlatformConfig: "A platform and its configuration",
  DeviceCode: "A device code (only its hash is stored; the identifier never leaves the service)",
  Job: "A piece of work for later",
  BeneficialOwner: "A person who owns or controls a business customer",
  Verification: "A check of a customer",
  ScaChallenge: "A challenge of strong customer authentication",
  AuditRecord: "A record of who decided what",
  CardTransaction: "What a card spent or was credited",
  CardFundingSource: "An internal account bound to a card",
  DelegatedKey: "A key by which the service signs for a card's embedded wallet",
  Document: "Evidence for the verification of a customer or an owner",
  ImportError: "A row of an import that created no customer (the identifier never leaves the service)",
  File: "The bytes of an uploaded file (the identifier never leaves the service)",
  Lookup: "A receiver that was looked up",
  Approver: "A person who decides on the console",
  ConsoleSession: "A signed-in session of the console (the identifier never authorizes anything)",
  StablecoinProviderAccount: "A platform's account at a provider of stablecoins",
  Stablecoin: "A stablecoin that a provider issues for a platform",
  StablecoinOperation: "The mint or burn of a stablecoin",
  Invitation:
    "An invitation to get a UMA address (it is addressed by its code; the identifier is only in audit records)",
  ScaReset: "The reset of a factor of strong customer authentication",
})

/** The part of an identifier before its colon, such as `Customer`. */
export type IdType = (typeof IdTypes.keys)[number]

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
const patterns = new Map(IdTypes.keys.map((type) => [type, new RegExp(`^${type}:${uuid}$`, "u")]))

/** Whether a text is a valid identifier of the type. */
export const isId = (type: IdType, text: string): boolean => patterns.get(type)?.test(text) ?? false

/** The schema of an identifier of the type, or of one of several, for bodies and queries. */
export const Id = (type: IdType, ...others: ReadonlyArray<IdType>) => {
  const types = [type, ...others]
  const name = others.length === 0 ? type : `(?:${types.join("|")})`
  const expected = types.map((each) => `${each}:<uuid>`).join(" or ")
  return Matching("id", new RegExp(`^${name}:${uuid}$`, "u"), expected).annotate({
    description: types.map((each) => IdTypes.get(each)).join("; or "),
  })
}
