/**
 * Credential set of an embedded wallet, and the root of its keys. Every change of the set writes this record, so that the last credential
 * cannot be removed. The record has its account's id.
 * Source: wire contract 4.2 (at least one credential always remains); architecture, "A change set is the only way to write"; D-364.
 */
import { Schema } from "effect"

/** Stored data of a wallet. */
export const Wallet = Schema.Struct({
  /** The credentials that are not revoked, oldest first. */
  credentialIds: Schema.Array(Schema.String),
  /** The root of its keys, which never changes; absent: the store's first root. */
  rootId: Schema.optionalKey(Schema.String),
})
export type Wallet = typeof Wallet.Type
