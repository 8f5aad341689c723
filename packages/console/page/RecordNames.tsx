/** The types of records as people read them, states with their colour, and an id as a link to its record. Source: D-467. */
import type { RecordTypeName } from "@countersign/core/models"
import { shortId } from "./Format.ts"
import { hashOf } from "./Hash.ts"

interface TypeName {
  readonly one: string
  readonly many: string
  /** Whether its lists filter by state. */
  readonly hasStates: boolean
}

const type = (one: string, many: string, hasStates = true): TypeName => ({ one, many, hasStates })

/** In the order of the choice. */
export const recordTypes: Readonly<Record<RecordTypeName, TypeName>> = {
  Customer: type("Customer", "Customers", false),
  InternalAccount: type("Account", "Accounts"),
  ExternalAccount: type("External account", "External accounts"),
  Transaction: type("Transaction", "Transactions"),
  Quote: type("Quote", "Quotes", false),
  Agent: type("Agent", "Agents", false),
  AgentAction: type("Action", "Actions"),
  Card: type("Card", "Cards"),
  CardTransaction: type("Card transaction", "Card transactions"),
  AuthMethod: type("Wallet credential", "Wallet credentials", false),
  Session: type("Wallet session", "Wallet sessions"),
  DelegatedKey: type("Delegated key", "Delegated keys"),
  Verification: type("Verification", "Verifications"),
  BeneficialOwner: type("Beneficial owner", "Beneficial owners", false),
  Document: type("Document", "Documents", false),
  Invitation: type("Invitation", "Invitations", false),
  StablecoinProviderAccount: type("Stablecoin provider account", "Stablecoin provider accounts"),
  Stablecoin: type("Stablecoin", "Stablecoins"),
  StablecoinOperation: type("Mint or burn", "Mints and burns"),
}

export const recordTypeNames = Object.keys(recordTypes) as ReadonlyArray<RecordTypeName>

export const isRecordType = (text: string): text is RecordTypeName => Object.hasOwn(recordTypes, text)

const tones: ReadonlyArray<readonly ["approved" | "failed" | "rejected", RegExp]> = [
  ["failed", /^(?:FAILED|REJECTED|REVOKED|INVALID|EXCEPTION|UNVERIFIED|INACTIVE)$/u],
  ["rejected", /^(?:CLOSED|EXPIRED|CANCELLED|DELETED|REFUNDED)$/u],
  ["approved", /^(?:ACTIVE|APPROVED|COMPLETED|SETTLED|CLAIMED|PROVISIONED|STORED|RETAINED|SUBMITTED)$/u],
]

/** A state in words: `PENDING_APPROVAL` as "Pending approval". */
export const stateName = (state: string): string => {
  const words = state.toLowerCase().replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** `platformCustomerId` as "Platform customer id". */
export const fieldName = (name: string): string =>
  stateName(name.replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2").replaceAll(".", " "))

/** A state machine in words; the abbreviations of the checks stay as they are. */
export const machineName = (name: string): string =>
  /^ky[bc]$/u.test(name) ? name.toUpperCase() : fieldName(name).toLowerCase()

/** A trigger of a machine in words: `ExecutionFails` as "Execution fails". */
export const triggerName = (trigger: string): string => fieldName(trigger)

export const StateBadge = ({ state }: { readonly state: string }) => (
  <span class={`badge ${tones.find(([, pattern]) => pattern.test(state))?.[0] ?? "sandbox"}`}>{stateName(state)}</span>
)

const idPattern = /^([A-Za-z]+):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

/** Where the page shows what the id names; `undefined`: nowhere, or the text is no id. */
export const placeOfId = (id: string): string | undefined => {
  const prefix = idPattern.exec(id)?.[1]
  if (prefix === "Webhook") return hashOf("events", id)
  return prefix !== undefined && isRecordType(prefix) ? hashOf("records", id) : undefined
}

export const IdLink = ({ id }: { readonly id: string }) => {
  const place = placeOfId(id)
  return place === undefined ? (
    <span class="id">{id}</span>
  ) : (
    <a class="id" href={place}>
      {id}
    </a>
  )
}

/** The type and the end of an id, as a link where the page shows what it names. */
export const ShortIdLink = ({ id }: { readonly id: string }) => {
  const place = placeOfId(id)
  const text = `${id.split(":", 1)[0]} ${shortId(id)}`
  return place === undefined ? (
    <span class="soft" title={id}>
      {text}
    </span>
  ) : (
    <a href={place} title={id}>
      {text}
    </a>
  )
}
