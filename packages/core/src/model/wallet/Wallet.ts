/**
 * Credential set of an embedded wallet. Every change of the set writes this record, so that the last credential cannot be removed.
 * The record has its account's id.
 * Source: wire contract 4.2 (at least one credential always remains); architecture, "A change set is the only way to write".
 */
import { Schema } from "effect"

/** Stored data of a wallet: the credentials that are not revoked, oldest first. */
export const Wallet = Schema.Struct({ credentialIds: Schema.Array(Schema.String) })
export type Wallet = typeof Wallet.Type
