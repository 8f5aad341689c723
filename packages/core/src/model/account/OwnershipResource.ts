/**
 * Ownership challenges on the wire.
 * Source: wire contract 2.6.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { secret } from "../../foundation/kit/Secret.ts"
import { Text } from "../../foundation/kit/Text.ts"
import { OwnershipMethod } from "./OwnershipChallenge.ts"
import { SignatureScheme } from "./WalletSignature.ts"

/** Body of `POST …/external-accounts/{externalAccountId}/challenge`, for accounts of customers and of the platform. */
export const OwnershipChallengeRequest = Schema.Struct({
  method: OwnershipMethod.annotate({
    description: "WALLET_SIGNATURE: the wallet's key signs a message. LIVENESS: the owner follows a link.",
  }),
}).annotate({ identifier: "OwnershipChallengeRequest" })

const SignatureChallenge = Schema.Struct({
  method: Schema.Literal("WALLET_SIGNATURE"),
  messageToSign: Schema.String.annotate({ description: "To be signed exactly as it is." }),
  expiresAt: Timestamp,
}).annotate({ identifier: "WalletSignatureChallenge" })

const LivenessChallenge = Schema.Struct({
  method: Schema.Literal("LIVENESS"),
  verificationLink: Schema.String.annotate({ ...secret, format: "uri", description: "Where the owner goes." }),
  token: Schema.optionalKey(Schema.String.annotate({ ...secret, description: "For an embedded check." })),
  expiresAt: Timestamp,
}).annotate({ identifier: "LivenessChallenge" })

/**
 * Answer (201) of `POST …/external-accounts/{externalAccountId}/challenge`: the message to sign, or the link to follow, until
 * `expiresAt`.
 */
export const OwnershipChallengeResource = Schema.Union([SignatureChallenge, LivenessChallenge]).annotate({
  identifier: "OwnershipChallenge",
})
export type OwnershipChallengeResource = typeof OwnershipChallengeResource.Type

/** Body of `POST …/external-accounts/{externalAccountId}/verify`: the signature of the challenge's message. */
export const OwnershipVerifyRequest = Schema.Struct({
  signature: Text(1024, "EIP-191 hex on EVM chains and Tron, base58 Ed25519 on Solana, base64 on Spark.").annotate(
    secret,
  ),
  signatureScheme: Schema.optionalKey(
    SignatureScheme.annotate({ description: "How a Bitcoin key signs (Spark); bip137 when absent." }),
  ),
}).annotate({ identifier: "OwnershipVerifyRequest" })
export type OwnershipVerifyRequest = typeof OwnershipVerifyRequest.Type
