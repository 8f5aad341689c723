/**
 * The passkey's signature over the digest of what was shown, as the audit keeps it: with the approver's public key it proves the vote.
 * Source: D-532; WebAuthn Level 3, 7.2.
 */
import { Schema } from "effect"

/** Texts are base64url. The challenge in `clientDataJson` ends with the digest. */
export const SignedAssertion = Schema.Struct({
  credentialId: Schema.String,
  clientDataJson: Schema.String,
  authenticatorData: Schema.String,
  signature: Schema.String,
})
export type SignedAssertion = typeof SignedAssertion.Type
