/**
 * The whole state of a store as text, and its replacement by another one: what saved worlds of a sandbox are made of. A store of several
 * processes has none.
 * Source: D-470.
 */
import { Context, Data, type Effect, type Schema } from "effect"
import { aheadMillisMax } from "../model/time/ClockResource.ts"
import type { Kind } from "./Kinds.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The text is not the state of such a store. Nothing was changed. */
export class ImageInvalid extends Data.TaggedError("ImageInvalid")<{ readonly message: string }> {}

/** The kinds that belong to the server: its credentials, its sessions and its keys. An image has none of them, and a load keeps them. */
export const kindsOfServer: ReadonlyArray<Kind> = [
  "ApiToken",
  "Approver",
  "ConsoleSession",
  "WebhookKeyRing",
  "WalletRoot",
]

/** The kinds that a reset keeps besides: the platform with its configuration. It also keeps the platform's own accounts, emptied. */
export const kindsOfPlatform: ReadonlyArray<Kind> = ["Platform", "WebhookEndpoint"]

/** Whether a reset keeps a record. */
export const isKeptByReset = ({
  customerId,
  kind,
}: {
  readonly kind: Kind
  readonly customerId: string | null
}): boolean =>
  kindsOfServer.includes(kind) || kindsOfPlatform.includes(kind) || (kind === "InternalAccount" && customerId === null)

type Members = Schema.JsonObject

const isObject = (data: Schema.Json | undefined): data is Members =>
  typeof data === "object" && data !== null && !Array.isArray(data)

/** The audit names the code of an invitation by its hash. */
const withoutDigest = (audit: Members): Members => {
  const { details } = audit
  if (!isObject(details)) return audit
  const { codeDigest: _, ...others } = details
  return { ...audit, details: others }
}

/** What a file has of the records of these kinds; `undefined`: nothing. The unique keys that they have are hashes of credentials. */
const shared: { readonly [K in Kind]?: (data: Members) => Members | undefined } = {
  Agent: (agent) => ({ ...agent, isConnected: false, tokens: [] }),
  AuditRecord: withoutDigest,
  DeviceCode: () => undefined,
  Invitation: (invitation) => ({ ...invitation, codeHash: "" }),
}

/** Whether records of a kind have credentials, and with them unique keys that are hashes of those. */
export const hasCredentials = (kind: string): boolean => Object.hasOwn(shared, kind)

/** Returns a record's data without credentials, also without hashes of them; `undefined`: nothing of the record is shared. */
export const withoutCredentials = (kind: Kind, data: Schema.Json): Schema.Json | undefined => {
  const share = shared[kind]
  return share === undefined || !isObject(data) ? data : share(data)
}

/** Whether the business time of a state can be that far ahead (ms): a file may say anything. */
export const isPossibleLead = (aheadMillis: number): boolean => aheadMillis >= 0 && aheadMillis <= aheadMillisMax

export interface StateImages {
  /** The kind of the store with the number of its schema. Only such a store understands the text. */
  readonly format: string
  /** Returns the state without the kinds of the server. */
  readonly capture: Effect.Effect<string, StoreUnavailable>
  /**
   * Replaces all but the kinds of the server: completely or not at all, also if the process ends meanwhile. The image comes from any file:
   * one that has records of another platform is refused.
   */
  readonly replace: (image: string, platformId: string) => Effect.Effect<void, ImageInvalid | StoreUnavailable>
  /** Returns the image without the credentials that its records have, and without the stored responses of idempotency keys. */
  readonly withoutCredentials: (image: string) => Effect.Effect<string, ImageInvalid>
  /** Deletes all records but those of the server and the platform's own, empties the ledger, and sets the clock to the real time. */
  readonly reset: Effect.Effect<void, StoreUnavailable>
}

export const StateImages = Context.Reference<StateImages | undefined>("@countersign/core/StateImages", {
  defaultValue: () => undefined,
})
