/**
 * How the signature header of a wallet action is read, and whether it is of a payload. Everything else that a signed request needs is
 * checked elsewhere, so that a sandbox can replace the cryptography alone.
 * Spec: Wallet action signing, Sandbox authentication behavior (4).
 */
import { Context, Effect, Exit } from "effect"
import type { P256 } from "../foundation/crypto/P256.ts"
import * as Stamp from "../foundation/crypto/Stamp.ts"

/** A header that could be read. */
export interface ReadSignature {
  /** The key that it names, compressed, in lower case; absent: it names none. */
  readonly publicKey?: string
  /** Whether it is a signature of this very text. */
  readonly isOf: (payload: string) => Effect.Effect<boolean, never, P256>
}

export interface SignatureChecks {
  /** What a header holds; undefined: it is malformed. */
  readonly read: (header: string) => Effect.Effect<ReadSignature | undefined>
}

/** Checks by the key that the header names. */
export const signatureChecks: SignatureChecks = {
  read: (header) =>
    Effect.map(Effect.exit(Stamp.parse(header)), (parsed) =>
      Exit.isFailure(parsed)
        ? undefined
        : {
            publicKey: parsed.value.publicKey,
            isOf: (payload) => Effect.map(Effect.exit(Stamp.verify(parsed.value, payload)), Exit.isSuccess),
          },
    ),
}

export const SignatureChecks = Context.Reference<SignatureChecks>("@countersign/core/SignatureChecks", {
  defaultValue: () => signatureChecks,
})
