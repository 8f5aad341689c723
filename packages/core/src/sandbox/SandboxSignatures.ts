/**
 * Wallet signatures in the sandbox: really checked; and the legacy value stands for any signature. It names no key, so that it counts
 * for any session that may sign; all else that a signed request needs is needed with it, too.
 * Spec: Sandbox authentication behavior (4), Versioning (3).
 */
import { Effect, Layer } from "effect"
import { SignatureChecks, signatureChecks } from "../ports/SignatureChecks.ts"
import { recordLeniency } from "./SandboxLeniencies.ts"

/** The legacy value of the signature header. */
export const sandboxSignature = "sandbox-valid-signature"

/** It is a signature of whatever is to be signed. */
const ofAnything = Effect.sync(() => {
  recordLeniency("WALLET_SIGNATURE_LITERAL")
  return true
})

export const layer = Layer.succeed(SignatureChecks, {
  read: (header) =>
    header === sandboxSignature ? Effect.succeed({ isOf: () => ofAnything }) : signatureChecks.read(header),
})
