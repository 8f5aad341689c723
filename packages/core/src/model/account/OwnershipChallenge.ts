/**
 * The challenge to prove ownership of a wallet: the message that the owner signs, and its lifetime.
 * Source: wire contract 2.6; D-051.
 */
import { Schema } from "effect"
import { iso } from "../../foundation/kit/Instant.ts"

/** How the owner of a wallet proves the ownership: by a signature of the wallet's key, or by a liveness check. */
export const OwnershipMethod = Schema.Literals(["WALLET_SIGNATURE", "LIVENESS"])
export type OwnershipMethod = typeof OwnershipMethod.Type

/** Lifetime of a signature challenge. It accepts one signature; a wrong or late one requires a new challenge. */
export const challengeLifetimeMillis = 10 * 60 * 1000

/** The stored data of an open challenge. A liveness check runs at its provider; its link and token are not stored. */
export const OwnershipChallenge = Schema.Union([
  Schema.Struct({ method: Schema.Literal("WALLET_SIGNATURE"), message: Schema.String, expiresAt: Schema.Int }),
  Schema.Struct({ method: Schema.Literal("LIVENESS"), expiresAt: Schema.Int }),
])
export type OwnershipChallenge = typeof OwnershipChallenge.Type

/** Returns the message to sign. It names account, wallet and moment, so that no other signature is valid for it. */
export const messageToSign = (account: {
  readonly id: string
  readonly address: string
  readonly nonce: string
  readonly expiresAt: number
}): string =>
  [
    "Sign this message to prove that this wallet is yours. It moves no funds.",
    "",
    `Wallet: ${account.address}`,
    `Account: ${account.id}`,
    `Nonce: ${account.nonce}`,
    `Expires: ${iso(account.expiresAt)}`,
  ].join("\n")
