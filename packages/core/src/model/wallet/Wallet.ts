/**
 * The set of an embedded wallet's credentials: the one record that every change of the set writes, so that the last one stays. It has
 * its account's own id.
 * Source: wire contract 4.2 (at least one credential always remains); architecture, "A change set is the one way to write".
 */
import { Schema } from "effect"

/** What is stored of a wallet: the credentials that are not revoked, oldest first. */
export const Wallet = Schema.Struct({ credentialIds: Schema.Array(Schema.String) })
export type Wallet = typeof Wallet.Type
