/**
 * Parses the signature header of a wallet action and verifies that it signs a payload. Other rules check the rest of a signed request,
 * so that a sandbox can replace the cryptography alone.
 * Spec: Wallet action signing, Sandbox authentication behavior (4).
 */
import { Context, Effect, Exit } from "effect"
import type { P256 } from "../foundation/crypto/P256.ts"
import * as Stamp from "../foundation/crypto/Stamp.ts"

/** A parsed header. */
export interface ParsedSignature {
  /** The public key in the header, compressed, in lower case; absent: the header has none. */
  readonly publicKey?: string
  /** Whether the signature is of this payload, byte for byte. */
  readonly verifies: (payload: string) => Effect.Effect<boolean, never, P256>
}

export interface SignatureChecks {
  /** Parses a header; `undefined`: it is malformed. */
  readonly read: (header: string) => Effect.Effect<ParsedSignature | undefined>
}

/** Verifies with the public key in the header. */
export const signatureChecks: SignatureChecks = {
  read: (header) =>
    Effect.map(Effect.exit(Stamp.parse(header)), (parsed) =>
      Exit.isFailure(parsed)
        ? undefined
        : {
            publicKey: parsed.value.publicKey,
            verifies: (payload) => Effect.map(Effect.exit(Stamp.verify(parsed.value, payload)), Exit.isSuccess),
          },
    ),
}

export const SignatureChecks = Context.Reference<SignatureChecks>("@countersign/core/SignatureChecks", {
  defaultValue: () => signatureChecks,
})
