/**
 * The question whether a wallet is its owner's: the message that the owner signs, and how long it may be answered.
 * Source: wire contract 2.6; D-051.
 */
import { Schema } from "effect"
import { iso } from "../../foundation/kit/Instant.ts"

export const OwnershipMethod = Schema.Literals(["WALLET_SIGNATURE", "LIVENESS"])
export type OwnershipMethod = typeof OwnershipMethod.Type

/** A signature is asked for once: right, it proves; wrong or late, it needs a new challenge. */
export const challengeMillis = 10 * 60 * 1000

/** What is stored of an open challenge. A liveness check runs elsewhere; its secrets are not kept. */
export const OwnershipChallenge = Schema.Union([
  Schema.Struct({ method: Schema.Literal("WALLET_SIGNATURE"), message: Schema.String, expiresAt: Schema.Int }),
  Schema.Struct({ method: Schema.Literal("LIVENESS"), expiresAt: Schema.Int }),
])
export type OwnershipChallenge = typeof OwnershipChallenge.Type

/** The message: of this account, this wallet and this moment, so that no other signature serves for it. */
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
