/**
 * Names the secret from which a deployment derives the keys of its wallets. The name is derived from the secret and reveals nothing that the
 * public keys of the wallets do not.
 * Source: D-345.
 */
import { Schema } from "effect"

export const WalletRoot = Schema.Struct({ rootId: Schema.String })
export type WalletRoot = typeof WalletRoot.Type
