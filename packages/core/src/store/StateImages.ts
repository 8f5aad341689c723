/**
 * The whole state of a store as text, and its replacement by another one: what saved worlds of a sandbox are made of. A store of several
 * processes has none.
 * Source: D-470.
 */
import { Context, Data, type Effect } from "effect"
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
  /** Deletes all records but those of the server and the platform's own, empties the ledger, and sets the clock to the real time. */
  readonly reset: Effect.Effect<void, StoreUnavailable>
}

export const StateImages = Context.Reference<StateImages | undefined>("@countersign/core/StateImages", {
  defaultValue: () => undefined,
})
